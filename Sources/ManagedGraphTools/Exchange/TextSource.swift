// Reads a text file in large pieces: lines, or records of CSV, each with the number of its first line. Used by imports;
// a line may have any length.
import Foundation
import GraphArchives
import ManagedGraph

/// Reads a file from start to end.
final class TextSource {
    let path: String
    /// The bytes of the file; 0 if it has no size, such as a pipe.
    let size: Int
    /// The bytes read so far.
    private(set) var done = 0
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var place = 0
    private var isAtEnd = false
    /// The number of the line that begins at `place`.
    private(set) var line = 1

    /// Opens a file; `-` is standard input.
    init(_ path: String) throws {
        self.path = path
        if path == "-" {
            handle = .standardInput
            size = 0
        } else {
            let isFolder = try FilePlacement.isFolder(path)
            guard isFolder == false, let opened = FileHandle(forReadingAtPath: path) else {
                let reason =
                    switch isFolder {
                    case nil: "The file does not exist."
                    case true?: "This is a folder."
                    case false?: "The file cannot be opened: \(String(cString: strerror(errno)))."
                    }
                throw CoreDataError.make(
                    isFolder == false ? NSFileReadUnknownError : NSFileReadNoSuchFileError,
                    reason,
                    remedy: "Check the path and the permissions.",
                    userInfo: [NSFilePathErrorKey: path]
                )
            }
            handle = opened
            size = ((try FileManager.default.attributesOfItem(atPath: path))[.size] as? NSNumber)?.intValue ?? 0
        }
        _ = try fill()
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    deinit { if path != "-" { try? handle.close() } }

    /// Reads another piece; returns false at the end.
    private func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        let piece = try handle.read(upToCount: 1 << 18) ?? Data()
        if piece.isEmpty {
            isAtEnd = true
            return false
        }
        done += piece.count
        buffer.removeFirst(place)
        place = 0
        buffer += piece
        return true
    }

    /// Calls `body` with the next line and its number; returns nil at the end.
    ///
    /// A carriage return before the newline is not part of the line, unless `keepsReturn` is set.
    func withLine<Result>(
        keepsReturn: Bool = false,
        _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> Result
    ) throws -> Result? {
        var searched = place
        var end: Int?
        while end == nil {
            end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
            guard end == nil else { break }
            let unread = buffer.count - place
            guard try fill() else { break }
            searched = place + unread
        }
        guard end != nil || place < buffer.count else { return nil }
        let stop = end ?? buffer.count
        let number = line
        defer {
            place = min(stop + 1, buffer.count)
            line += 1
        }
        return try buffer.withUnsafeBufferPointer { bytes in
            let isLong = !keepsReturn && stop > place && bytes[stop - 1] == UInt8(ascii: "\r")
            return try body(UnsafeBufferPointer(rebasing: bytes[place..<(isLong ? stop - 1 : stop)]), number)
        }
    }

    // MARK: CSV

    /// A field of CSV: nothing between separators means no value.
    struct Field {
        var text: String?
    }

    /// The next record of CSV and the number of its first line; nil at the end.
    ///
    /// Blank lines are skipped. Throws a `JSONError` for an invalid record; reading can then continue with the next
    /// line.
    func record() throws -> (fields: [Field], line: Int)? {
        while true {
            guard let byte = try peek() else { return nil }
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { break }
            place += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        let first = line
        var fields: [Field] = []
        while true {
            fields.append(try field())
            guard let byte = try peek() else { return (fields, first) }
            place += 1
            if byte == UInt8(ascii: ",") { continue }
            if byte == UInt8(ascii: "\r"), try peek() == UInt8(ascii: "\n") { place += 1 }
            line += 1
            return (fields, first)
        }
    }

    private func peek() throws -> UInt8? {
        if place == buffer.count, try !fill() { return nil }
        return buffer[place]
    }

    private func field() throws -> Field {
        guard let first = try peek() else { return Field(text: nil) }
        guard first == UInt8(ascii: "\"") else {
            var bytes: [UInt8] = []
            while let byte = try peek(), byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n"),
                byte != UInt8(ascii: "\r")
            {
                bytes.append(byte)
                place += 1
            }
            return bytes.isEmpty ? Field(text: nil) : try text(bytes)
        }
        place += 1
        var bytes: [UInt8] = []
        while let byte = try peek() {
            place += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte == UInt8(ascii: "\"") else {
                bytes.append(byte)
                continue
            }
            let next = try peek()
            if next == UInt8(ascii: "\"") {
                bytes.append(byte)
                place += 1
                continue
            }
            guard next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r")
            else {
                try skipLine()
                throw JSONError(reason: "something follows a closing quotation mark", position: 0)
            }
            return try text(bytes)
        }
        throw JSONError(reason: "a quotation mark is not closed", position: 0)
    }

    private func text(_ bytes: [UInt8]) throws -> Field {
        guard let field = String(validating: bytes, as: UTF8.self) else {
            try skipLine()
            throw JSONError(reason: "a field is not UTF-8", position: 0)
        }
        return Field(text: field)
    }

    private func skipLine() throws {
        while let byte = try peek() {
            place += 1
            if byte == UInt8(ascii: "\n") { break }
        }
        line += 1
    }
}
