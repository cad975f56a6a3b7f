// The temporary folder of a server, its standbys and its poolers. Shared by them; removed after the last of them.
import Foundation

/// A folder that is removed when it is no longer used, or after a process has ended.
final class ServerFolder: Sendable {
    let url: URL

    init(of owner: Int32) throws {
        url = try PostgreSQLPrograms.makeFolder()
        try PostgreSQLPrograms.watch(url, until: owner)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
