// The classes in a keyed archive, read without decoding its objects. Called before Foundation's unarchiver, which traps
// if a class does not exist.
import Foundation

extension KeyedArchive {
    /// The names of the classes of all objects.
    package var classNames: [String] { chains.compactMap(\.first) }

    /// For each class its name and the names of its superclasses.
    private var chains: [[String]] { objects.compactMap { chain($0) } }

    private func chain(_ description: ListValue) -> [String]? {
        guard case .dictionary(let description) = description, case .text(let name)? = description["$classname"] else {
            return nil
        }
        guard case .array(let classes)? = description["$classes"] else { return [name] }
        let classNames = classes.compactMap { if case .text(let className) = $0 { className } else { nil } }
        return [name] + (classNames.count == classes.count ? classNames : []).filter { $0 != name }
    }

    /// Whether the root object, and the members if it is a collection, are instances of these classes or of subclasses.
    ///
    /// Other contents of an object are the responsibility of its class.
    package func holdsOnly(_ names: Set<String>) -> Bool {
        guard case .reference(let root)? = top[NSKeyedArchiveRootObjectKey] else {
            return chains.allSatisfy { !names.isDisjoint(with: $0) }
        }
        var seen: Set<Int> = []
        return holdsOnly(names, root, &seen)
    }

    private func holdsOnly(_ names: Set<String>, _ number: Int, _ seen: inout Set<Int>) -> Bool {
        guard objects.indices.contains(number) else { return false }
        guard seen.insert(number).inserted, number > 0 else { return true }
        switch objects[number] {
        case .text: return names.contains("NSString")
        case .data: return names.contains("NSData")
        case .boolean, .integer, .unsigned, .real: return names.contains("NSNumber")
        case .dictionary(let entries):
            guard case .reference(let type)? = entries["$class"], objects.indices.contains(type),
                let chain = chain(objects[type]), !names.isDisjoint(with: chain)
            else { return false }
            guard !Self.collections.isDisjoint(with: chain) else { return true }
            return entries.allSatisfy { $0.key == "$class" || holdsOnly(names, entry: $0.value, &seen) }
        default: return false
        }
    }

    private func holdsOnly(_ names: Set<String>, entry: ListValue, _ seen: inout Set<Int>) -> Bool {
        switch entry {
        case .reference(let number): holdsOnly(names, number, &seen)
        case .array(let members):
            members.allSatisfy { member in
                guard case .reference(let number) = member else { return true }
                return holdsOnly(names, number, &seen)
            }
        default: true
        }
    }

    private static let collections: Set<String> = ["NSArray", "NSSet", "NSOrderedSet", "NSDictionary"]
}
