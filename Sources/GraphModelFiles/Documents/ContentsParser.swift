// Parses XML into elements with their spelling. Called by ModelDocument and ModelXMLParser. It is strict, and limited
// to files as Xcode and people write them: UTF-8 without entity definitions.

/// Parses a `contents` file.
struct ContentsParser {
    /// The text is not XML, or uses a feature that this parser rejects.
    struct Failure: Error {
        /// The line at which the parser stopped, from 1.
        var line: Int
    }

    /// The text before the root, the root, and the text after it.
    typealias Parts = (prolog: String, root: ContentsElement, epilog: String)

    private let bytes: [UInt8]
    private var place = 0

    /// Limits nesting: a deeper file is an attack.
    private static let depthLimit = 256
    /// Attributes of one element; Xcode's have some dozen.
    private static let attributeLimit = 1_000
    /// The elements and attributes that are left: each takes ten times the memory of its shortest form.
    private var budget: Int

    static func parse(_ bytes: [UInt8]) throws(Failure) -> Parts {
        var parser = ContentsParser(bytes)
        try parser.checkCharacters()
        let prolog = try parser.miscellany()
        let root = try parser.element()
        let epilog = try parser.miscellany()
        guard parser.place == parser.bytes.count else { throw parser.failure }
        return (prolog, root, epilog)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // Shorter than any that has a meaning, on the average.
        budget = 10_000 + bytes.count / 9
    }

    private mutating func spend() throws(Failure) {
        budget -= 1
        if budget < 0 { throw failure }
    }

    private var failure: Failure {
        Failure(line: bytes[..<min(place, bytes.count)].reduce(1) { $1 == 0x0a ? $0 + 1 : $0 })
    }

    /// Rejects control characters and invalid UTF-8.
    private mutating func checkCharacters() throws(Failure) {
        if let control = bytes.firstIndex(where: { $0 < 0x20 && ![0x09, 0x0a, 0x0d].contains($0) }) {
            place = control
            throw failure
        }
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        // The first byte that repairing the text would replace.
        let repaired = String(decoding: bytes, as: UTF8.self).utf8
        place = zip(repaired, bytes).prefix { $0 == $1 }.count
        throw failure
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func starts(with prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return prefix.withUTF8Buffer { $0.elementsEqual(bytes[place..<place + count]) }
    }

    /// Skips past the next occurrence of a text.
    private mutating func skip(to end: StaticString) throws(Failure) {
        while place < bytes.count {
            if starts(with: end) {
                place += end.utf8CodeUnitCount
                return
            }
            place += 1
        }
        throw failure
    }

    /// Skips a comment, an instruction, or a declaration without definitions; returns false if there is none.
    private mutating func skipMarkup() throws(Failure) -> Bool {
        if starts(with: "<!--") {
            place += 4
            try skip(to: "-->")
        } else if starts(with: "<?") {
            try skip(to: "?>")
        } else if starts(with: "<!DOCTYPE") {
            let start = place
            try skip(to: ">")
            // Definitions are not supported.
            guard !bytes[start..<place].contains(UInt8(ascii: "[")) else { throw failure }
        } else {
            return false
        }
        return true
    }

    /// The markup and space that may precede and follow the root.
    private mutating func miscellany() throws(Failure) -> String {
        let start = place
        if place == 0, starts(with: "\u{FEFF}") { place += 3 }
        repeat { skipSpace() } while try skipMarkup()
        return text(start..<place)
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) { place += 1 }
    }

    private mutating func space() -> String {
        let start = place
        skipSpace()
        return text(start..<place)
    }

    private mutating func name() throws(Failure) -> String {
        let start = place
        while place < bytes.count, Self.isNamePart(bytes[place]) { place += 1 }
        guard place > start, !"-.0123456789".utf8.contains(bytes[start]) else { throw failure }
        return text(start..<place)
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "_:-.".utf8.contains(byte)
        }
    }

    /// Returns the text if every ampersand in it begins an escape.
    private func checked(_ range: Range<Int>) throws(Failure) -> String {
        let text = text(range)
        guard ContentsText.isSound(text) else { throw failure }
        return text
    }

    private mutating func element() throws(Failure) -> ContentsElement {
        var open: [ContentsElement] = []
        var start = place
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "<") else {
                place += 1
                continue
            }
            if starts(with: "<![") {
                place += 9
                try skip(to: "]]>")
                continue
            }
            if try skipMarkup() { continue }
            if start < place, !open.isEmpty { open[open.count - 1].children.append(.other(try checked(start..<place))) }
            var closed: ContentsElement?
            if starts(with: "</") {
                closed = try close(&open)
            } else {
                let element = try startTag()
                if element.endTag == nil {
                    closed = element
                } else {
                    guard open.count < Self.depthLimit else { throw failure }
                    open.append(element)
                }
            }
            start = place
            guard let closed else { continue }
            if open.isEmpty { return closed }
            open[open.count - 1].children.append(.element(closed))
        }
        throw failure
    }

    private mutating func close(_ open: inout [ContentsElement]) throws(Failure) -> ContentsElement {
        let start = place
        place += 2
        let name = try name()
        skipSpace()
        guard starts(with: ">"), var element = open.popLast(), element.name == name else { throw failure }
        place += 1
        element.endTag = text(start..<place)
        return element
    }

    private mutating func startTag() throws(Failure) -> ContentsElement {
        guard starts(with: "<") else { throw failure }
        place += 1
        try spend()
        var element = ContentsElement(try name())
        while true {
            let space = space()
            if starts(with: "/>") || starts(with: ">") {
                element.space = space
                element.endTag = starts(with: "/>") ? nil : ""
                place += starts(with: "/>") ? 2 : 1
                return element
            }
            guard !space.isEmpty, element.attributes.count < Self.attributeLimit else { throw failure }
            try spend()
            let attribute = try attribute(behind: space)
            guard !element.attributes.contains(where: { $0.name == attribute.name }) else { throw failure }
            element.attributes.append(attribute)
        }
    }

    private mutating func attribute(behind space: String) throws(Failure) -> ContentsElement.Attribute {
        let name = try name()
        let start = place
        skipSpace()
        guard starts(with: "=") else { throw failure }
        place += 1
        skipSpace()
        let equals = text(start..<place)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
            throw failure
        }
        let quote = bytes[place]
        place += 1
        let begin = place
        while place < bytes.count, bytes[place] != quote, bytes[place] != UInt8(ascii: "<") { place += 1 }
        guard place < bytes.count, bytes[place] == quote else { throw failure }
        defer { place += 1 }
        return ContentsElement.Attribute(
            name: name,
            spelling: try checked(begin..<place),
            space: space,
            equals: equals,
            quote: String(decoding: [quote], as: UTF8.self)
        )
    }
}
