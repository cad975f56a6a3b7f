// The system's error numbers as Foundation's errors. Created by the code that replaces files; callers read the reason
// for messages of their own.
import Foundation

extension CocoaError {
    /// Creates Foundation's error for a failed system call.
    init(system code: Int32, path: String) {
        let errorCode: CocoaError.Code =
            switch code {
            case EACCES, EPERM: .fileWriteNoPermission
            case EDQUOT, ENOSPC: .fileWriteOutOfSpace
            case EEXIST: .fileWriteFileExists
            case ENAMETOOLONG: .fileWriteInvalidFileName
            case ENOENT: .fileNoSuchFile
            case EROFS: .fileWriteVolumeReadOnly
            default: .fileWriteUnknown
            }
        self.init(errorCode, userInfo: Self.entries(code, path))
    }

    /// Creates Foundation's error for a failed system call that reads or looks at a file.
    init(reading code: Int32, path: String) {
        self.init(
            code == EACCES || code == EPERM ? .fileReadNoPermission : .fileReadUnknown,
            userInfo: Self.entries(code, path)
        )
    }

    private static func entries(_ code: Int32, _ path: String) -> [String: Any] {
        [
            NSFilePathErrorKey: path, NSDebugDescriptionErrorKey: String(cString: strerror(code)),
            NSLocalizedRecoverySuggestionErrorKey: remedy(code, path),
        ]
    }

    private static func remedy(_ code: Int32, _ path: String) -> String {
        switch code {
        case EACCES, EPERM: "Check the permissions of \(path) and of its folder, and try again."
        case EDQUOT, ENOSPC: "Free some space on the disk, and try again."
        case EEXIST: "Choose another name."
        case EMFILE, ENFILE: "Close files, or raise the limit of open files (ulimit -n), and try again."
        case ENAMETOOLONG: "Choose a shorter name."
        case ENOENT, ENOTDIR: "Check the path \(path)."
        case EROFS: "Make the volume writable, or choose a place on another one."
        default: "Check the disk and the permissions of \(path), and try again."
        }
    }

    /// The system's description of the error if there is one.
    package var systemReason: String {
        if let reason = userInfo[NSDebugDescriptionErrorKey] as? String { return reason }
        guard let cause = (userInfo[NSUnderlyingErrorKey] as? any Error).map({ $0 as NSError }),
            cause.domain == NSPOSIXErrorDomain
        else { return localizedDescription }
        return String(cString: strerror(Int32(cause.code)))
    }

    /// The remedy of the error if there is one.
    package var systemRemedy: String? { userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String }
}
