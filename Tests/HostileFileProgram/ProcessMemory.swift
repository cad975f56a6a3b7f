// The memory of this process, as Linux counts it.
import Foundation

/// Reads the memory of this process.
enum ProcessMemory {
    /// A line of the process's status that is missing.
    struct Missing: Error {
        let name: String
    }

    /// Makes the present memory the peak.
    static func resetPeak() throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: "/proc/self/clear_refs"))
        try handle.write(contentsOf: Data("5".utf8))
        try handle.close()
    }

    /// A number of `/proc/self/status` in bytes: `VmRSS`, the present memory, or `VmHWM`, its peak.
    static func bytes(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw Missing(name: name) }
        return kilobytes << 10
    }
}
