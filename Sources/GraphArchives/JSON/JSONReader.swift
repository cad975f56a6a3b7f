// Parses JSON from a line and keeps numbers as digits, so that decimals are not rounded. Used by imports, as
// Foundation's reader converts numbers to doubles and takes several times as long.

/// Parses one JSON value from bytes.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private var depth = 0
    private static let deepest = 200

    /// Parses a whole text.
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.place == bytes.count else { throw reader.error("something follows the value") }
        return value
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private func error(_ reason: String) -> JSONError { JSONError(reason: reason, position: place) }

    private mutating func skipBlanks() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func value() throws -> JSONValue {
        skipBlanks()
        guard place < bytes.count else { throw error("a value is missing") }
        switch bytes[place] {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try list()
        case UInt8(ascii: "\""): return .string(try text())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        default: throw error("no value begins like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count,
            (0..<count).allSatisfy({ bytes[place + $0] == word.utf8Start[$0] })
        else { throw error("no value begins like this") }
        place += count
        return value
    }

    private mutating func number() throws -> JSONValue {
        let start = place
        if bytes[place] == UInt8(ascii: "-") { place += 1 }
        let first = place
        try digits()
        guard bytes[first] != 0x30 || place == first + 1 else { throw error("a number begins with 0") }
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
            try digits()
        }
        if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
            place += 1
            if place < bytes.count, bytes[place] == UInt8(ascii: "+") || bytes[place] == UInt8(ascii: "-") {
                place += 1
            }
            try digits()
        }
        return .number(String(decoding: bytes[start..<place], as: UTF8.self))
    }

    private mutating func digits() throws {
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        if place == start { throw error("a digit is missing") }
    }

    private mutating func text() throws -> String {
        place += 1
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "\""), bytes[place] != UInt8(ascii: "\\"),
            bytes[place] >= 0x20
        {
            place += 1
        }
        guard place < bytes.count else { throw error("a text has no end") }
        if bytes[place] == UInt8(ascii: "\"") {
            defer { place += 1 }
            return try checked(UnsafeBufferPointer(rebasing: bytes[start..<place]), start)
        }
        return try escapedText(from: start)
    }

    /// The text of bytes, which must be valid UTF-8.
    private func checked(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw JSONError(reason: "a text is not UTF-8", position: start)
        }
        return text
    }

    private mutating func escapedText(from start: Int) throws -> String {
        var result = Array(bytes[start..<place])
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                return try result.withUnsafeBufferPointer { try checked($0, start) }
            case UInt8(ascii: "\\"):
                try escape(into: &result)
            case 0..<0x20:
                place -= 1
                throw error("a text contains a control character")
            default: result.append(byte)
            }
        }
        throw error("a text has no end")
    }

    private mutating func escape(into result: inout [UInt8]) throws {
        guard place < bytes.count else { throw error("a text has no end") }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): result.append(byte)
        case UInt8(ascii: "b"): result.append(0x08)
        case UInt8(ascii: "f"): result.append(0x0C)
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "r"): result.append(0x0D)
        case UInt8(ascii: "t"): result.append(0x09)
        case UInt8(ascii: "u"):
            var value = try unit()
            if (0xD800..<0xDC00).contains(value) {
                guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u")
                else { throw error("a text contains half of a surrogate pair") }
                place += 2
                let low = try unit()
                guard (0xDC00..<0xE000).contains(low) else { throw error("a text contains half of a surrogate pair") }
                value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(value) else { throw error("a text contains half of a surrogate pair") }
            result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        default:
            place -= 1
            throw error("a text contains an unknown escape sequence")
        }
    }

    private mutating func unit() throws -> UInt32 {
        guard place + 4 <= bytes.count else { throw error("an escape has no end") }
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[place]
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - 87)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - 55)
            default: throw error("an escape has four digits of base 16")
            }
            place += 1
        }
        return value
    }

    private mutating func enter() throws {
        depth += 1
        if depth > Self.deepest { throw error("values are nested more than \(Self.deepest) deep") }
        place += 1
        skipBlanks()
    }

    private mutating func list() throws -> JSONValue {
        .array(try parts(until: UInt8(ascii: "]")) { try $0.value() })
    }

    private mutating func object() throws -> JSONValue {
        .object(try parts(until: UInt8(ascii: "}")) { try $0.member() })
    }

    private mutating func member() throws -> JSONMember {
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw error("a name is missing") }
        let name = try text()
        skipBlanks()
        guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { throw error("a colon is missing") }
        place += 1
        return JSONMember(name: name, value: try value())
    }

    /// The parts of a list or an object, up to the character that ends it.
    @inline(__always)
    private mutating func parts<Part>(until end: UInt8, _ read: (inout Self) throws -> Part) throws -> [Part] {
        try enter()
        defer { depth -= 1 }
        var result: [Part] = []
        if place < bytes.count, bytes[place] == end {
            place += 1
            return result
        }
        repeat { result.append(try read(&self)) } while try !isEnd(end)
        return result
    }

    /// Consumes a comma or the end of a list, and returns true for the end.
    private mutating func isEnd(_ end: UInt8) throws -> Bool {
        skipBlanks()
        guard place < bytes.count else { throw error("the end is missing") }
        defer { place += 1 }
        if bytes[place] == end { return true }
        guard bytes[place] == UInt8(ascii: ",") else { throw error("a comma is missing") }
        return false
    }
}
