// A keyed archive as a table of objects that are looked at, never made. Used to read the models inside of Xcode's files.
import Foundation

/// The objects of a keyed archive.
struct KeyedArchive {
    /// An object: its class's name and its entries.
    struct Object {
        let className: String
        fileprivate let entries: [String: ListValue]
        /// Its number in the archive, by which two references to one object are known.
        let number: Int
    }

    private let objects: [ListValue]
    private let rootNumber: Int

    /// Reads an archive; nil where the data are none.
    init?(_ data: Data) {
        guard case .dictionary(let list)? = try? BinaryPropertyList.read(data),
            case .array(let objects)? = list["$objects"], case .dictionary(let top)? = list["$top"],
            case .reference(let root)? = top["root"]
        else { return nil }
        self.objects = objects
        rootNumber = root
    }

    /// The archived object.
    var root: Object? { object(.reference(rootNumber)) }

    /// What an entry of an object is, references followed; nil for none and for null.
    func value(_ key: String, of object: Object) -> ListValue? {
        object.entries[key].flatMap(resolve)
    }

    private func resolve(_ value: ListValue) -> ListValue? {
        guard case .reference(let number) = value else { return value }
        guard number > 0, objects.indices.contains(number) else { return nil }
        return objects[number]
    }

    func object(_ value: ListValue?) -> Object? {
        guard case .reference(let number)? = value, number > 0, objects.indices.contains(number),
            case .dictionary(let entries) = objects[number],
            case .reference(let type)? = entries["$class"], objects.indices.contains(type),
            case .dictionary(let description) = objects[type], case .text(let name)? = description["$classname"]
        else { return nil }
        return Object(className: name, entries: entries, number: number)
    }

    func object(_ key: String, of object: Object) -> Object? { self.object(object.entries[key]) }

    func text(_ key: String, of object: Object) -> String? { text(object.entries[key]) }

    func text(_ value: ListValue?) -> String? {
        guard let value, case .text(let text)? = resolve(value) else { return nil }
        return text
    }

    func integer(_ key: String, of object: Object) -> Int? {
        switch value(key, of: object) {
        case .integer(let number): Int(number)
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }

    func flag(_ key: String, of object: Object) -> Bool { integer(key, of: object) ?? 0 != 0 }

    /// The members of a collection, or the values of a dictionary, in their order.
    func members(_ object: Object?) -> [ListValue] {
        guard let object, case .array(let members)? = object.entries["NS.objects"] else { return [] }
        return members
    }

    /// The entries of a dictionary whose keys are texts.
    func pairs(_ object: Object?) -> [(key: String, value: ListValue)] {
        guard let object, case .array(let keys)? = object.entries["NS.keys"] else { return [] }
        return zip(keys, members(object)).compactMap { key, value in text(key).map { ($0, value) } }
    }
}
