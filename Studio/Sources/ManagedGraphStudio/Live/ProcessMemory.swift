// The memory of this process, as the system reports it.
import Foundation

enum ProcessMemory {
    /// The resident bytes; 0 if they cannot be read.
    static var resident: Int {
        guard let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
