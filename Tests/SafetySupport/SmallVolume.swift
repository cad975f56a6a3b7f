// An in-memory volume in a separate mount namespace, for tests of full disks. Used by tests of saves and migrations; it
// is invisible outside the namespace.
import Foundation

/// Scripts that may mount volumes.
package enum SmallVolume {
    /// Runs a script as root of a new namespace.
    ///
    /// - Parameter script: For `sh`; programs in it print no backtrace when they trap.
    /// - Returns: The script's status and output.
    /// - Throws: If the process cannot be started.
    package static func run(_ script: String) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["unshare", "--map-root-user", "--mount", "sh", "-c", script]
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// Whether volumes can be mounted here.
    package static let canMount: Bool = {
        guard let result = try? run("mount -t tmpfs none /mnt") else { return false }
        return result.status == 0
    }()
}
