// The kinds of calls that can fail, and the failures that a system gives for each. Used by runs of failing calls.
import CFileCalls
import Foundation

/// A kind of call of the C library.
enum FileCall: Int, CaseIterable {
    case open, read, write, sync, truncate, lock, memory, rename, syncFolder, unlink, folder, look, list

    /// All kinds, or those in OUTAGE_KINDS, separated by commas.
    static let chosen: [FileCall] = {
        let names = ProcessInfo.processInfo.environment["OUTAGE_KINDS"]?.split(separator: ",").map(String.init)
        return allCases.filter { names?.contains("\($0)") ?? true }
    }()

    /// The system's error numbers that are tried.
    var codes: [Int32] {
        switch self {
        case .open: [EIO, EMFILE, EACCES, EROFS]
        case .read: [EIO]
        case .write: [EIO, ENOSPC, EROFS]
        case .sync: [EIO, ENOSPC]
        case .truncate: [EIO, EROFS]
        case .lock: [EIO, EACCES]
        case .memory: [EIO, ENOSPC]
        case .rename: [EIO, ENOSPC, EACCES, EROFS]
        case .syncFolder: [EIO]
        case .unlink: [EIO, EACCES, EROFS]
        case .folder: [EIO, ENOSPC, EACCES, EROFS]
        case .look: [EIO, EACCES]
        case .list: [EIO, EMFILE, EACCES]
        }
    }

    /// Makes the call with this number fail, and all later ones of its kind if `isLasting`.
    func fail(_ number: Int, _ code: Int32, isLasting: Bool) {
        file_calls_fail(Int32(rawValue), Int64(number), code, isLasting ? 1 : 0)
    }

    /// Lets all calls work.
    static func work() { file_calls_fail(-1, 0, 0, 0) }
}
