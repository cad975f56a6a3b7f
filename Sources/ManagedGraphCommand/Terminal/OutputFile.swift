// A file that a command writes atomically, or a device or a pipe that it writes to. Created by commands with --output.
import Foundation
import GraphArchives

/// A file under construction.
final class OutputFile {
    private let path: String
    /// The new file; nil for a device or a pipe.
    private let draft: FileDraft?
    /// The device or the pipe, which is written to directly, as it cannot be replaced.
    private let device: Output?
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Starts a file; nothing is written to the destination before `finish`, unless it is a device or a pipe.
    ///
    /// - Parameters:
    ///   - path: The destination; a link is followed.
    ///   - store: The store that is read, as the user named it; it cannot be the destination.
    /// - Throws: `CommandFailure` if the destination cannot be used.
    init(_ path: String, from store: String) throws {
        var status = stat()
        let kind = stat(path, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
        guard kind != S_IFDIR else { throw CommandFailure(path, "A folder is there. Name a file.") }
        if let identity = FileIdentity(path), identity == FileIdentity(store) {
            throw CommandFailure(path, "This is the store itself. Name another file.")
        }
        self.path = path
        if kind == S_IFREG {
            draft = try Self.naming(path) { try FileDraft(of: URL(filePath: path).resolvingSymlinksInPath().path) }
            device = nil
            descriptor = -1
        } else {
            descriptor = open(path, O_WRONLY)
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(errno))
                throw CommandFailure(path, "It cannot be written: \(reason). Check the permissions.")
            }
            draft = nil
            device = Output(descriptor, named: path)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ bytes: [UInt8]) throws {
        if let device { return try device.write(bytes) }
        buffer += bytes
        if buffer.count >= 1 << 18 { try flush() }
    }

    private func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try Self.naming(path) { _ = try buffer.withUnsafeBytes { try draft?.write($0) } }
    }

    /// Moves the file to its destination.
    func finish() throws {
        if let device { return try device.flush() }
        try flush()
        try Self.naming(path) { _ = try draft?.place() }
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
