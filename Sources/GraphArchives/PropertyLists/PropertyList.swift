// Property lists of any form, read once and without a risk: Foundation's reader may end the process at a damaged binary
// list, so binary ones are read here and other forms by Foundation. Called for metadata of stores, lists beside models
// and archived values. Foundation writes property lists without such trouble; BinaryPropertyListWriter writes those
// that have references.
import Foundation

/// Reading of property lists.
package enum PropertyList {
    /// The value of a property list in Foundation's types; nil for data that are none, or that are damaged.
    package static func read(_ data: Data) -> Any? {
        guard isBinary(data) else { return readOther(data) }
        return try? BinaryPropertyList.read(data, isStrict: true).foundation
    }

    /// The value with its references; nil for data that are no property list, or that are damaged.
    static func readValue(_ data: Data) -> ListValue? {
        guard isBinary(data) else { return readOther(data).flatMap { ListValue(foundation: $0) } }
        return try? BinaryPropertyList.read(data, isStrict: true)
    }

    /// Whether data say that they are a binary property list.
    package static func isBinary(_ data: Data) -> Bool { data.starts(with: "bplist".utf8) }

    private static func readOther(_ data: Data) -> Any? {
        try? PropertyListSerialization.propertyList(from: data, format: nil)
    }
}
