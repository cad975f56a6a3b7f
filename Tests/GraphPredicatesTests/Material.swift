// Helpers for several suites of this module: formats printed without Foundation's deprecation warning, a readable
// object, and the material beside the repository. Beside `FormatReading`.
import Foundation
import GraphPredicates
import Testing

/// The reference material, which exists only beside a work tree.
enum Material {
    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("shared/apple")

    static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.path) }

    static func list(_ name: String) throws -> [[String: Any]] {
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
    }
}
