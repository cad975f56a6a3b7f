// A file that a command writes: there as a whole, or not at all. Made by commands with --output.
import Foundation
import GraphArchives

/// A file on its way to its place.
final class OutputFile {
    private let path: String
    private let draft: FileDraft
    private var buffer: [UInt8] = []

    /// Begins a file; nothing is at its place before `finish`.
    init(_ path: String) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(path, "A folder is there. Name a file.")
        }
        self.path = path
        draft = try Self.naming(path) { try FileDraft(of: path) }
    }

    func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 1 << 18 { try flush() }
    }

    private func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try Self.naming(path) { try buffer.withUnsafeBytes { try draft.write($0) } }
    }

    /// Puts the file at its place.
    func finish() throws {
        try flush()
        try Self.naming(path) { try draft.place() }
    }

    private static func naming<R>(_ path: String, _ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as CocoaError {
            throw CommandFailure(
                path,
                "It cannot be written: \(error.systemReason). Check the space and the permissions."
            )
        }
    }
}
