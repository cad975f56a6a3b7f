// A file that each thread opens for itself with the C API.
import Foundation

/// The raw C API, a connection for each thread.
final class CAPIFile: SharedFile {
    static let name = CAPISubject.name
    static var filler: any Subject.Type { CAPISubject.self }

    private let file: URL

    init(file: URL) { self.file = file }

    func makeClient() throws -> any Client { try CAPISubject(file: file) }
}
