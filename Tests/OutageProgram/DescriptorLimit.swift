// The limit of open files of this process, lowered so far that only some more can be opened. Used by runs without
// descriptors.
import Foundation

/// The process's limit of open files (`RLIMIT_NOFILE`).
enum DescriptorLimit {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    private static let usual: rlimit = {
        var limit = rlimit()
        getrlimit(resource, &limit)
        return limit
    }()

    /// Lets only that many more files be opened; those that are open stay so.
    static func leave(_ count: Int) {
        // The system opens a file as the lowest free number, and none from the limit on.
        var limit: rlim_t = 0
        var free = 0
        while true {
            let isFree = fcntl(Int32(limit), F_GETFD) < 0
            if isFree, free == count { break }
            if isFree { free += 1 }
            limit += 1
        }
        set(limit)
    }

    /// Sets the limit that the process began with.
    static func restore() { set(usual.rlim_cur) }

    private static func set(_ count: rlim_t) {
        var limit = rlimit(rlim_cur: count, rlim_max: usual.rlim_max)
        guard setrlimit(resource, &limit) == 0 else {
            say("the limit of open files cannot be \(count): \(String(cString: strerror(errno)))")
            exit(1)
        }
    }
}
