// XML to elements with their spelling. Called by ModelDocument, which compares the outcome with what Foundation's parser makes
// of the same text: this one is for files as Xcode and people write them, and gives up on anything else (other encodings,
// definitions of entities).

/// Parses a `contents` file.
struct ContentsParser {
    /// The text is none that this parser takes.
    struct Failure: Error {}

    /// What stands before the root, the root, and what stands behind it.
    typealias Parts = (prolog: String, root: ContentsElement, epilog: String)

    private let bytes: [UInt8]
    private var place = 0

    /// Foundation's parser goes no deeper.
    private static let depthLimit = 256

    static func parse(_ bytes: [UInt8]) throws(Failure) -> Parts {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure() }
        var parser = ContentsParser(bytes)
        let prolog = try parser.miscellany()
        let root = try parser.element()
        let epilog = try parser.miscellany()
        guard parser.place == parser.bytes.count else { throw Failure() }
        return (prolog, root, epilog)
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        return text.withUTF8Buffer { $0.elementsEqual(bytes[place..<place + count]) }
    }

    /// Goes behind the next occurrence of a text.
    private mutating func skip(to end: StaticString) throws(Failure) {
        while place < bytes.count {
            if starts(with: end) {
                place += end.utf8CodeUnitCount
                return
            }
            place += 1
        }
        throw Failure()
    }

    /// Goes over a comment, an instruction, or a declaration without definitions; false where there is none.
    private mutating func skipMarkup() throws(Failure) -> Bool {
        if starts(with: "<!--") {
            place += 4
            try skip(to: "-->")
        } else if starts(with: "<?") {
            try skip(to: "?>")
        } else {
            return false
        }
        return true
    }

    /// What may stand before and behind the root.
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
        while place < bytes.count, bytes[place] > 0x20, !"=<>/\"'".utf8.contains(bytes[place]) { place += 1 }
        guard place > start else { throw Failure() }
        return text(start..<place)
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
            if start < place, !open.isEmpty { open[open.count - 1].children.append(.other(text(start..<place))) }
            var closed: ContentsElement?
            if starts(with: "</") {
                closed = try close(&open)
            } else {
                let element = try startTag()
                if element.endTag == nil {
                    closed = element
                } else {
                    guard open.count < Self.depthLimit else { throw Failure() }
                    open.append(element)
                }
            }
            start = place
            guard let closed else { continue }
            if open.isEmpty { return closed }
            open[open.count - 1].children.append(.element(closed))
        }
        throw Failure()
    }

    private mutating func close(_ open: inout [ContentsElement]) throws(Failure) -> ContentsElement {
        let start = place
        place += 2
        let name = try name()
        skipSpace()
        guard starts(with: ">"), var element = open.popLast(), element.name == name else { throw Failure() }
        place += 1
        element.endTag = text(start..<place)
        return element
    }

    private mutating func startTag() throws(Failure) -> ContentsElement {
        guard starts(with: "<") else { throw Failure() }
        place += 1
        var element = ContentsElement(try name())
        while true {
            let space = space()
            if starts(with: "/>") || starts(with: ">") {
                element.space = space
                element.endTag = starts(with: "/>") ? nil : ""
                place += starts(with: "/>") ? 2 : 1
                return element
            }
            guard !space.isEmpty else { throw Failure() }
            element.attributes.append(try attribute(behind: space))
        }
    }

    private mutating func attribute(behind space: String) throws(Failure) -> ContentsElement.Attribute {
        let name = try name()
        let start = place
        skipSpace()
        guard starts(with: "=") else { throw Failure() }
        place += 1
        skipSpace()
        let equals = text(start..<place)
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
            throw Failure()
        }
        let quote = bytes[place]
        place += 1
        let begin = place
        while place < bytes.count, bytes[place] != quote { place += 1 }
        guard place < bytes.count else { throw Failure() }
        defer { place += 1 }
        return ContentsElement.Attribute(
            name: name,
            spelling: text(begin..<place),
            space: space,
            equals: equals,
            quote: String(decoding: [quote], as: UTF8.self)
        )
    }
}
