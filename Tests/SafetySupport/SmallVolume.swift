// A volume in memory in a namespace of one's own, for tests of what happens when there is no room. Used by tests of saves and of
// migrations; nothing outside of the namespace sees it.
import Foundation

/// Scripts that may mount volumes.
package enum SmallVolume {
    /// Runs a script as the owner of a namespace.
    ///
    /// - Parameter script: For `sh`; programs in it stop at a trap without a report.
    /// - Returns: The script's status, and what it wrote.
    /// - Throws: Where no process can be made.
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
