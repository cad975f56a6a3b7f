// A keyed archive as a table of objects that are never decoded. Used to read the models in Xcode's files, compiled
// models, the models in stores, and binary stores, and to check archives before Foundation decodes them. References may
// form cycles.
import Foundation

/// The objects of a keyed archive.
package struct KeyedArchive {
    /// An object: its class name and its entries.
    package struct Object {
        package let className: String
        package let entries: [String: ListValue]
        /// Its number in the archive, which identifies the object of a reference.
        package let number: Int
    }

    /// The objects by number; the first one represents nil.
    package let objects: [ListValue]
    /// The archived objects, by key.
    package let top: [String: ListValue]

    /// Reads a binary archive; nil for other data.
    package init?(_ data: Data) {
        guard let list = try? BinaryPropertyList.read(data) else { return nil }
        self.init(list)
    }

    /// Reads an archive that Foundation will decode, binary or XML; nil if Foundation would reject the property list or
    /// trap.
    package init?(readableByFoundation data: Data) {
        guard let list = PropertyList.readValue(data) else { return nil }
        self.init(list)
    }

    private init?(_ list: ListValue) {
        guard case .dictionary(let list) = list, case .array(let objects)? = list["$objects"],
            case .dictionary(let top)? = list["$top"]
        else { return nil }
        self.objects = objects
        self.top = top
    }

    /// The archived object.
    package var root: Object? { object(top["root"]) }

    /// An entry of an object with its reference resolved; nil if it is missing or null.
    package func value(_ key: String, of object: Object) -> ListValue? {
        object.entries[key].flatMap(resolve)
    }

    /// Resolves a reference; other values are returned unchanged, and null as nil.
    package func resolve(_ value: ListValue) -> ListValue? {
        guard case .reference(let number) = value else { return value }
        guard number > 0, objects.indices.contains(number) else { return nil }
        return objects[number]
    }

    /// The object that a value refers to; nil for other values, null and objects without a class.
    package func object(_ value: ListValue?) -> Object? {
        guard case .reference(let number)? = value, number > 0, objects.indices.contains(number),
            case .dictionary(let entries) = objects[number],
            case .reference(let type)? = entries["$class"], objects.indices.contains(type),
            case .dictionary(let description) = objects[type], case .text(let name)? = description["$classname"]
        else { return nil }
        return Object(className: name, entries: entries, number: number)
    }

    /// The names of a class and its superclasses, if the entries describe a class.
    package static func classes(in entries: [String: ListValue]) -> [String]? {
        guard entries["$class"] == nil, case .array(let names)? = entries["$classes"] else { return nil }
        return names.compactMap { if case .text(let name) = $0 { name } else { nil } }
    }

    /// The names of the class and superclasses of an object.
    package func classes(of object: Object) -> [String] {
        guard case .dictionary(let description)? = object.entries["$class"].flatMap(resolve) else { return [] }
        return Self.classes(in: description) ?? []
    }

    /// The object that an entry of an object refers to.
    package func object(_ key: String, of object: Object) -> Object? { self.object(object.entries[key]) }

    /// The text of an entry of an object, including mutable strings.
    package func text(_ key: String, of object: Object) -> String? { text(object.entries[key]) }

    /// The text of a value or of its reference, including mutable strings.
    package func text(_ value: ListValue?) -> String? {
        guard let value else { return nil }
        if case .text(let text)? = resolve(value) { return text }
        guard let object = object(value), case .text(let text)? = object.entries["NS.string"] else { return nil }
        return text
    }

    /// The integer of an entry of an object; 0 or 1 for a Boolean value.
    package func integer(_ key: String, of object: Object) -> Int? {
        switch value(key, of: object) {
        case .integer(let number): Int(number)
        case .unsigned(let number): Int(truncatingIfNeeded: number)
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }

    /// Whether an entry of an object is true or a number other than 0.
    package func flag(_ key: String, of object: Object) -> Bool { integer(key, of: object) ?? 0 != 0 }

    /// The members of a collection, or the values of a dictionary, in order.
    package func members(_ object: Object?) -> [ListValue] {
        guard let object, case .array(let members)? = object.entries["NS.objects"] else { return [] }
        return members
    }

    /// The entries of a dictionary whose keys are texts.
    package func pairs(_ object: Object?) -> [(key: String, value: ListValue)] {
        guard let object, case .array(let keys)? = object.entries["NS.keys"] else { return [] }
        return zip(keys, members(object)).compactMap { key, value in text(key).map { ($0, value) } }
    }
}
