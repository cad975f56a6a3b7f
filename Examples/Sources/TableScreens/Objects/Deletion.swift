// The deletion of an object: the objects that a cascade takes along, in words, and a copy of all of them to bring them
// back. Created by ScreenResponder before the screen deletes the object, on the context's queue.
import CoreData
import Foundation

struct Deletion {
    /// The maximum number of bytes and of objects in a copy; a larger deletion cannot be undone.
    static let byteLimit = 64 * 1024 * 1024
    static let objectLimit = 20_000

    /// The objects of one entity that are deleted along with the first one.
    private struct Cascaded {
        let relationshipName: String
        let entityName: String
        var count: Int
    }

    let object: NSManagedObject
    private(set) var objects: [NSManagedObject]
    private var cascaded: [Cascaded] = []

    /// Follows the delete rules of the model.
    ///
    /// - Complexity: O(deleted objects).
    init(of object: NSManagedObject) {
        self.object = object
        objects = [object]
        var seen: Set<NSManagedObject> = [object]
        var next = 0
        while next < objects.count {
            let current = objects[next]
            next += 1
            for (name, relationship) in current.entity.relationshipsByName.sorted(by: { $0.key < $1.key })
            where relationship.deleteRule == .cascadeDeleteRule {
                let relatedObjects = current.related(name).filter { seen.insert($0).inserted }
                objects += relatedObjects
                note(name, relatedObjects)
            }
        }
    }

    private mutating func note(_ relationshipName: String, _ relatedObjects: [NSManagedObject]) {
        for object in relatedObjects {
            let entityName = object.entity.name ?? ""
            if let place = cascaded.firstIndex(where: { $0.entityName == entityName }) {
                cascaded[place].count += 1
            } else {
                cascaded.append(Cascaded(relationshipName: relationshipName, entityName: entityName, count: 1))
            }
        }
    }

    /// The objects of a cascade: “its 3 bugs”, “its bug”; nil if there are none.
    private var cascade: String? {
        guard !cascaded.isEmpty else { return nil }
        let parts = cascaded.map {
            $0.count == 1
                ? Self.words($0.entityName) : "\($0.count.formatted()) \(Self.words($0.relationshipName))"
        }
        return "its " + parts.joined(separator: " and ")
    }

    /// The words of the note after the deletion.
    var note: String {
        let name = Self.words(object.entity.name ?? "object")
        let first = name.prefix(1).uppercased() + name.dropFirst()
        return cascade.map { "\(first) and \($0) deleted" } ?? "\(first) deleted"
    }

    /// The question before a deletion that takes other objects along, or that cannot be undone; nil for any other.
    func question(canUndo: Bool) -> Question? {
        guard cascade != nil || !canUndo else { return nil }
        let name = Self.words(object.entity.name ?? "object")
        let count = cascaded.reduce(0) { $0 + $1.count }
        let consequence = cascade.map {
            "\($0.prefix(1).uppercased())\($0.dropFirst()) \(count == 1 ? "is" : "are") deleted too."
        }
        let parts = [consequence, canUndo ? nil : "This is too much to be undone."].compactMap { $0 }
        return Question("Delete the \(name)?", message: parts.joined(separator: " "), confirm: "Delete")
    }

    /// A copy of all objects, or nil if it would be too large.
    func copy() -> KeptDeletion? {
        guard objects.count <= Self.objectLimit else { return nil }
        var bytes = 0
        var copies: [KeptDeletion.Copy] = []
        for object in objects {
            let copy = KeptDeletion.Copy(object)
            bytes += copy.bytes
            guard bytes <= Self.byteLimit else { return nil }
            copies.append(copy)
        }
        return KeptDeletion(copies: copies, bytes: bytes)
    }

    /// “cardResults” becomes “card results”.
    private static func words(_ name: String) -> String {
        var words = ""
        for character in name {
            if character.isUppercase, !words.isEmpty { words += " " }
            words += character.lowercased()
        }
        return words
    }
}

extension NSManagedObject {
    /// Returns the objects of a relationship, in its order if it has one.
    func related(_ relationshipName: String) -> [NSManagedObject] {
        switch value(forKey: relationshipName) {
        case let object as NSManagedObject: [object]
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }
}
