// Reads property lists of any format safely: Foundation's reader may crash on a damaged binary list, so binary lists
// are read here and other formats by Foundation. Called for metadata of stores, lists beside models and archived
// values. Writing is safe in Foundation; BinaryPropertyListWriter writes lists with references.
import Foundation

/// Reads property lists.
package enum PropertyList {
    /// The value of a property list in Foundation's types; nil if the data are not one or are damaged.
    package static func read(_ data: Data) -> Any? {
        guard isBinary(data) else { return readOther(data) }
        // Foundation's values take some fifty bytes each.
        let limit = 250_000 + data.count / 4
        return try? BinaryPropertyList.read(data, isStrict: true, sizeLimit: limit).foundation
    }

    /// The value with its references; nil if the data are not a property list or are damaged.
    static func readValue(_ data: Data) -> ListValue? {
        guard isBinary(data) else { return readOther(data).flatMap { ListValue(foundation: $0) } }
        return try? BinaryPropertyList.read(data, isStrict: true, sizeLimit: max(250_000, data.count))
    }

    /// Whether data begin with the magic bytes of a binary property list.
    package static func isBinary(_ data: Data) -> Bool { data.starts(with: "bplist".utf8) }

    private static func readOther(_ data: Data) -> Any? {
        guard isShallow(data) else { return nil }
        return try? PropertyListSerialization.propertyList(from: data, format: nil)
    }

    /// Deeper nesting is an attack: Foundation's readers overflow the stack.
    private static let depthLimit = 200

    /// Whether a list as XML or text defines no entities, which may expand without bound, and has few levels.
    private static func isShallow(_ data: Data) -> Bool {
        // Without the zeros of UTF-16, whose other bytes are those of ASCII.
        let bytes = [UInt8](data).filter { $0 != 0 }
        let isXML = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0) } == 0x3C
        var depth = 0
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "<") where isXML:
                let rest = bytes.dropFirst(place + 1)
                if rest.starts(with: "!ENTITY".utf8) { return false }
                if rest.starts(with: "array".utf8) || rest.starts(with: "dict".utf8) { depth += 1 }
                if rest.starts(with: "/array".utf8) || rest.starts(with: "/dict".utf8) { depth -= 1 }
            case UInt8(ascii: "/") where isXML:
                // A tag of an empty collection is its end, too.
                let tail = bytes[..<place].suffix(6)
                let isEnd = bytes.dropFirst(place + 1).first == UInt8(ascii: ">")
                if isEnd, tail.ends(with: "<array") || tail.ends(with: "<dict") { depth -= 1 }
            case UInt8(ascii: "("), UInt8(ascii: "{"): if !isXML { depth += 1 }
            case UInt8(ascii: ")"), UInt8(ascii: "}"): if !isXML { depth -= 1 }
            default: continue
            }
            if depth > depthLimit { return false }
        }
        return true
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(with ending: String) -> Bool { suffix(ending.utf8.count).elementsEqual(ending.utf8) }
}
