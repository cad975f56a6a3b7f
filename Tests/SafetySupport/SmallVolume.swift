// An in-memory volume in a separate mount namespace, for tests of full disks. Used by tests of saves and migrations; it
// is invisible outside the namespace.
import Foundation
import TestSupport

/// Scripts that may mount volumes.
package enum SmallVolume {
    /// Runs a script as root of a new namespace.
    ///
    /// - Parameter script: For `sh`; programs in it print no backtrace when they trap.
    /// - Returns: The script's status and output.
    /// - Throws: If the process cannot be started.
    package static func run(_ script: String) throws -> (status: Int32, output: String) {
        let command = ["unshare", "--map-root-user", "--mount", "sh", "-c", script]
        let (status, text) = try Process.output(of: command, includesErrors: false)
        return (status, text)
    }

    /// Whether volumes can be mounted here.
    package static let canMount: Bool = {
        guard let result = try? run("mount -t tmpfs none /mnt") else { return false }
        return result.status == 0
    }()
}
