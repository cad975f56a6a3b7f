// What a keyed archive holds, seen without making any of its objects. Used by Archive.
import Foundation
import GraphSQLite

/// The objects of a keyed archive as a property list has them.
struct ArchiveContents {
    private let objects: [Any]
    private let root: Any

    /// Reads the property list; nil where the data are no archive.
    init?(_ data: Data) {
        guard PropertyListShape.isSound(data),
            let plist = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let archive = plist as? [String: Any], let objects = archive["$objects"] as? [Any],
            let root = (archive["$top"] as? [String: Any])?[NSKeyedArchiveRootObjectKey]
        else { return nil }
        self.objects = objects
        self.root = root
    }

    /// The names of the classes of all objects.
    var classNames: [String] { chains.compactMap(\.first) }

    /// For each class its name, then those of its superclasses.
    private var chains: [[String]] { objects.compactMap { chain($0) } }

    private func chain(_ description: Any) -> [String]? {
        guard let description = description as? [String: Any], let name = description["$classname"] as? String else {
            return nil
        }
        return [name] + (description["$classes"] as? [String] ?? []).filter { $0 != name }
    }

    /// Whether the value, and where it is a collection its members, are of these classes or of subclasses.
    ///
    /// What an object of an allowed class holds besides is that class's own affair.
    func holdsOnly(_ names: Set<String>) -> Bool {
        guard number(root) != nil else { return chains.allSatisfy { !names.isDisjoint(with: $0) } }
        var seen: Set<Int> = []
        return holdsOnly(names, root, &seen)
    }

    private func holdsOnly(_ names: Set<String>, _ reference: Any, _ seen: inout Set<Int>) -> Bool {
        guard let number = number(reference), objects.indices.contains(number) else { return false }
        guard seen.insert(number).inserted, number > 0 else { return true }
        switch objects[number] {
        case is String: return names.contains("NSString")
        case is Data: return names.contains("NSData")
        case is NSNumber: return names.contains("NSNumber")
        case let object as [String: Any]:
            guard let place = object["$class"].flatMap({ self.number($0) }), objects.indices.contains(place),
                let chain = chain(objects[place]), !names.isDisjoint(with: chain)
            else { return false }
            guard !Self.collections.isDisjoint(with: chain) else { return true }
            return object.filter { $0.key != "$class" }.values
                .flatMap { $0 as? [Any] ?? [$0] }
                .allSatisfy { self.number($0) == nil || holdsOnly(names, $0, &seen) }
        default: return false
        }
    }

    private static let collections: Set<String> = ["NSArray", "NSSet", "NSOrderedSet", "NSDictionary"]

    /// The place that a reference names: Foundation has no public way to ask for it.
    private func number(_ reference: Any) -> Int? {
        let children = Mirror(reflecting: reference).children
        let value = children.first { $0.label == "value" }?.value
        return (value as? UInt32).map { Int($0) } ?? value as? Int
    }
}
