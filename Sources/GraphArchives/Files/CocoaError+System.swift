// The system's error numbers as Foundation's errors. Made where files are put in their places; the reason is read by
// callers that word a message of their own.
import Foundation

extension CocoaError {
    /// The error that Foundation has for a call that failed.
    init(system code: Int32, path: String) {
        let known: CocoaError.Code =
            switch code {
            case EACCES, EPERM: .fileWriteNoPermission
            case EDQUOT, ENOSPC: .fileWriteOutOfSpace
            case EEXIST: .fileWriteFileExists
            case ENAMETOOLONG: .fileWriteInvalidFileName
            case ENOENT: .fileNoSuchFile
            case EROFS: .fileWriteVolumeReadOnly
            default: .fileWriteUnknown
            }
        self.init(
            known,
            userInfo: [NSFilePathErrorKey: path, NSDebugDescriptionErrorKey: String(cString: strerror(code))]
        )
    }

    /// The system's words for the error where it has some.
    package var systemReason: String {
        userInfo[NSDebugDescriptionErrorKey] as? String ?? localizedDescription
    }
}
