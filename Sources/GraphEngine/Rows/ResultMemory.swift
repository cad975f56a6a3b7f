// The memory that the rows of one result may take. Read by the decoders of engines: a fetch of too many rows fails with
// an error that explains how to read them in parts, before the system ends the process.
import Foundation

/// The limit of the memory for the rows of one result.
package enum ResultMemory {
    /// The environment variable that sets the limit in megabytes; 0 for none.
    package static let variable = "MANAGEDGRAPH_RESULT_LIMIT"

    /// The limit in bytes: the environment's, else a quarter of the memory that the process may use.
    package static let limit = limit(of: ProgramEnvironment.value(variable), available: available)

    /// The remedy for results above the limit.
    package static let remedy =
        "Set fetchBatchSize or fetchLimit of the request, or read it with results(of:), which need the memory of one part. "
        + "\(variable) in the environment sets the limit in megabytes, 0 removes it."

    /// The limit that a text of the environment sets; without a valid one a quarter of the available memory, at least
    /// 64 MB.
    package static func limit(of text: String?, available: Int) -> Int {
        guard let megabytes = text.flatMap({ Int($0) }), megabytes >= 0 else { return max(64 << 20, available / 4) }
        return megabytes == 0 || megabytes > .max >> 20 ? .max : megabytes << 20
    }

    /// The memory of the machine, or that of the container if it has less.
    private static var available: Int {
        let machine = Int(clamping: ProcessInfo.processInfo.physicalMemory)
        let files = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        return files.reduce(machine) { least, file in
            let text = try? String(contentsOfFile: file, encoding: .utf8)
            return min(least, text.flatMap { Int($0.prefix { $0.isNumber }) } ?? least)
        }
    }

    /// The description of a result above a limit.
    package static func excess(over limit: Int) -> String {
        "the rows of one fetch take more than \(limit >> 20) MB, the limit for one result"
    }
}
