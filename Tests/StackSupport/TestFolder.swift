// A temporary folder of a test. Used by stacks, and by tests that open stores themselves.
import Foundation

/// A new folder, which is removed with this object.
final class TestFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "mg-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
