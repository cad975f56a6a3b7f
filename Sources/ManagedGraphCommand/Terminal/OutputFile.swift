// A file that a command writes: there as a whole, or not at all. Made by commands with --output.
import Foundation

/// A file on its way to its place.
final class OutputFile {
    private let path: String
    private let draft: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    /// Begins a file; nothing is at its place before `finish`.
    init(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        self.path = path
        draft =
            url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent)-\(UUID().uuidString).new").path
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure(path, "A folder is there. Name a file.")
        }
        descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        guard descriptor >= 0 else { throw failure() }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(draft)
    }

    func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 1 << 18 { try flush() }
    }

    private func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        var start = 0
        while start < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if count >= 0 { start += count } else if errno != EINTR { throw failure() }
        }
    }

    /// Puts the file at its place.
    func finish() throws {
        try flush()
        guard fsync(descriptor) == 0, close(descriptor) == 0 else { throw failure() }
        descriptor = -1
        guard rename(draft, path) == 0 else {
            let reason = failure()
            unlink(draft)
            throw reason
        }
    }

    private func failure() -> CommandFailure {
        CommandFailure(
            path,
            "It cannot be written: \(String(cString: strerror(errno))). Check the space and the permissions."
        )
    }
}
