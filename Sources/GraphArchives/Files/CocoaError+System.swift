// The system's error numbers as Foundation's errors. Created by the code that replaces files; callers read the reason
// for messages of their own.
import Foundation

extension CocoaError {
    /// Creates Foundation's error for a failed system call.
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

    /// Creates Foundation's error for a failed system call that reads or looks at a file.
    init(reading code: Int32, path: String) {
        self.init(
            code == EACCES || code == EPERM ? .fileReadNoPermission : .fileReadUnknown,
            userInfo: [NSFilePathErrorKey: path, NSDebugDescriptionErrorKey: String(cString: strerror(code))]
        )
    }

    /// The system's description of the error if there is one.
    package var systemReason: String {
        userInfo[NSDebugDescriptionErrorKey] as? String ?? localizedDescription
    }
}
