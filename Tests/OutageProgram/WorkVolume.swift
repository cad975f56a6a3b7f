// The volume that holds the folders of all runs, remounted for reading only, and for writing again. Used by runs on a
// read-only volume, for which the volume must be one of the program's own.
import Foundation

/// The volume of the working folders.
enum WorkVolume {
    /// The folder on which the volume is mounted; nil unless OUTAGE_VOLUME names one.
    static let path = ProcessInfo.processInfo.environment["OUTAGE_VOLUME"]

    /// Remounts the volume for reading only.
    ///
    /// - Returns: False if a file of it is open for writing: the system then refuses.
    static func makeReadOnly() -> Bool {
        if remount(UInt(MS_RDONLY)) { return true }
        guard errno == EBUSY else { fail() }
        return false
    }

    /// Remounts the volume for writing.
    static func makeWritable() { if !remount(0) { fail() } }

    private static func remount(_ flags: UInt) -> Bool {
        mount("none", path ?? "", nil, UInt(MS_REMOUNT) | flags, nil) == 0
    }

    private static func fail() -> Never {
        say("the volume \(path ?? "") cannot be mounted anew: \(String(cString: strerror(errno)))")
        exit(1)
    }
}
