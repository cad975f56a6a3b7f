// A file that a command writes atomically. Created by commands with --output.
import Foundation
import GraphArchives

/// A file under construction.
final class OutputFile {
    private let path: String
    private let draft: FileDraft
    private var buffer: [UInt8] = []

    /// Starts a file; nothing is written to the destination before `finish`.
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

    /// Moves the file to its destination.
    func finish() throws {
        try flush()
        try Self.naming(path) { _ = try draft.place() }
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
