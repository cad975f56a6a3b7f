// The references of a custom store to its objects (texts, numbers, anything), and the primary keys that the framework
// uses them by. One map serves all coordinators that have a store open, so that identifiers mean the same everywhere.
import Foundation
import GraphEngine
import Synchronization

/// References of a store's objects and their primary keys.
final class ReferenceMap: Sendable {
    /// References may be any objects; they are compared and handed out, never changed.
    private struct Tree: @unchecked Sendable {
        var keys: [AnyHashable: Int64] = [:]
        var references: [Int64: Any] = [:]
        var texts: [String: Int64] = [:]
        var entities: [Int64: String] = [:]
        var next: Int64 = 1

        mutating func add(_ reference: Any, _ name: AnyHashable, _ key: Int64, _ entity: String) {
            keys[name] = key
            references[key] = reference
            texts["\(name.base)"] = key
            entities[key] = entity
        }

        mutating func newKey(_ name: AnyHashable) -> Int64 {
            if let number = name.base as? Int64, number > 0, references[number] == nil { return number }
            while references[next] != nil { next += 1 }
            return next
        }
    }

    private struct Entry: Sendable {
        weak var map: ReferenceMap?
    }

    private static let maps = Mutex<[String: Entry]>([:])
    /// By the name of the inheritance tree's root.
    private let trees = Mutex<[String: Tree]>([:])

    /// The map of the store with this identifier.
    static func shared(_ identifier: String) -> ReferenceMap {
        maps.withLock { maps in
            if let existing = maps[identifier]?.map { return existing }
            maps = maps.filter { $0.value.map != nil }
            let map = ReferenceMap()
            maps[identifier] = Entry(map: map)
            return map
        }
    }

    /// Makes a map the one of the store with this identifier.
    static func adopt(_ map: ReferenceMap, _ identifier: String) {
        maps.withLock { $0[identifier] = Entry(map: map) }
    }

    /// A map without entries in the place of the one that a store has had so far.
    static func renewed(_ identifier: String) -> ReferenceMap {
        let map = ReferenceMap()
        adopt(map, identifier)
        return map
    }

    /// The primary key of a reference, a new one if it has none yet.
    ///
    /// A positive whole number is its own key, if that is free.
    func key(_ reference: Any, tree: String, entity: String) -> Int64 {
        let name = Self.name(reference)
        return trees.withLock { trees in
            if let existingKey = trees[tree]?.keys[name] {
                trees[tree]?.entities[existingKey] = entity
                return existingKey
            }
            // In place: a copy of the tree would copy all its references.
            let key = trees[tree, default: Tree()].newKey(name)
            trees[tree, default: Tree()].add(reference, name, key, entity)
            return key
        }
    }

    /// Records the reference of an object whose key exists.
    func note(_ reference: Any, key: Int64, tree: String, entity: String) {
        let name = Self.name(reference)
        trees.withLock { $0[tree, default: Tree()].add(reference, name, key, entity) }
    }

    /// The reference of a primary key; nil if it is not known.
    func reference(_ key: Int64, tree: String) -> Any? {
        trees.withLock { UnsafeTransfer($0[tree]?.references[key]) }.value
    }

    /// The entity of the object that has a primary key.
    func entityName(_ key: Int64, tree: String) -> String? {
        trees.withLock { $0[tree]?.entities[key] }
    }

    /// The reference as a URI shows it.
    func text(_ key: Int64, tree: String) -> String? {
        reference(key, tree: tree).map { "\(Self.name($0).base)" }
    }

    /// The primary key of a reference in a URI: whole numbers are taken as such, all else as texts.
    func key(text: String, tree: String, entity: String) -> Int64 {
        if let existing = trees.withLock({ $0[tree]?.texts[text] }) { return existing }
        return key(Int64(text) as Any? ?? text, tree: tree, entity: entity)
    }

    /// Numbers and texts of Foundation's classes as Swift's, so that they compare equal.
    private static func name(_ reference: Any) -> AnyHashable {
        switch reference {
        case let number as NSNumber where !(number is NSDecimalNumber):
            if let integer = Int64(exactly: number) { return integer }
            return number.doubleValue
        case let number as Int: return Int64(number)
        case let number as Int32: return Int64(number)
        case let number as Int16: return Int64(number)
        case let text as NSString: return String(describing: text)
        case let hashable as AnyHashable: return hashable
        default: return "\(reference)"
        }
    }
}
