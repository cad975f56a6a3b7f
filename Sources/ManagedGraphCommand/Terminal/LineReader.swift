// Standard input as lines, read in large pieces; a line may have any length. Used by PredicateCommand.
import Foundation

struct LineReader {
    /// A line without its terminator.
    enum Line {
        case text(String)
        /// The line with U+FFFD in place of invalid UTF-8, and the number of characters before the first.
        case damaged(String, position: Int)
    }

    private let file = FileHandle.standardInput
    private var rest: [UInt8] = []
    private var isAtEnd = false
    private var count = 0

    /// The lines that the next piece of input completes, with their numbers; nil at the end.
    ///
    /// Blank lines are skipped.
    mutating func next() throws -> [(number: Int, line: Line)]? {
        if isAtEnd { return nil }
        var lines: [(number: Int, line: Line)] = []
        let piece = try file.read(upToCount: 1 << 16) ?? Data()
        if piece.isEmpty {
            isAtEnd = true
            take(rest[...], into: &lines)
            return lines
        }
        // Search only the new piece, so that the cost of a long line is linear.
        var begin = 0
        var place = rest.count
        rest += piece
        while place < rest.count {
            if rest[place] == UInt8(ascii: "\n") {
                take(rest[begin..<place], into: &lines)
                begin = place + 1
            }
            place += 1
        }
        rest.removeFirst(begin)
        return lines
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, into lines: inout [(number: Int, line: Line)]) {
        count += 1
        let bytes = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        guard bytes.contains(where: { $0 != 32 && !(9...13).contains($0) }) else { return }
        lines.append((count, LineReader.line(bytes)))
    }

    private static func line(_ bytes: ArraySlice<UInt8>) -> Line {
        var line = String(decoding: bytes, as: UTF8.self)
        let isWhole = line.withUTF8 { decoded in
            bytes.withUnsafeBytes { original in
                guard original.count == decoded.count, let a = original.baseAddress, let b = decoded.baseAddress else {
                    return original.count == decoded.count
                }
                return memcmp(a, b, original.count) == 0
            }
        }
        if isWhole { return .text(line) }
        let good = zip(line.utf8, bytes).prefix { $0 == $1 }.count
        return .damaged(line, position: String(decoding: bytes.prefix(good), as: UTF8.self).count)
    }
}
