// The files of rejected forms, so that a browser without scripts need not upload them again. Owned by ScreenResponder,
// in memory only: the oldest are dropped first.
import Foundation
import Synchronization

final class KeptFiles: Sendable {
    /// The bytes of all files together.
    static let limit = 40 * 1024 * 1024

    private let files = Mutex<[(token: String, file: FormBody.File)]>([])

    /// Keeps a file and returns its token.
    func keep(_ file: FormBody.File) -> String {
        let token = UUID().uuidString
        files.withLock { files in
            files.append((token, file))
            var size = files.reduce(0) { $0 + $1.file.data.count }
            while size > Self.limit, files.count > 1 { size -= files.removeFirst().file.data.count }
        }
        return token
    }

    func file(_ token: String) -> FormBody.File? {
        files.withLock { $0.first { $0.token == token }?.file }
    }
}
