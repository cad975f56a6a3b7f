// Reads property lists of any format safely: Foundation's reader may crash on a damaged binary list, so binary lists
// are read here and other formats by Foundation. Called for metadata of stores, lists beside models and archived
// values. Writing is safe in Foundation; BinaryPropertyListWriter writes lists with references.
import Foundation

/// Reads property lists.
package enum PropertyList {
    /// The value of a property list in Foundation's types; nil if the data are not one or are damaged.
    package static func read(_ data: Data) -> Any? {
        guard isBinary(data) else { return readOther(data) }
        return try? BinaryPropertyList.read(data, isStrict: true).foundation
    }

    /// The value with its references; nil if the data are not a property list or are damaged.
    static func readValue(_ data: Data) -> ListValue? {
        guard isBinary(data) else { return readOther(data).flatMap { ListValue(foundation: $0) } }
        return try? BinaryPropertyList.read(data, isStrict: true)
    }

    /// Whether data begin with the magic bytes of a binary property list.
    package static func isBinary(_ data: Data) -> Bool { data.starts(with: "bplist".utf8) }

    private static func readOther(_ data: Data) -> Any? {
        try? PropertyListSerialization.propertyList(from: data, format: nil)
    }
}
