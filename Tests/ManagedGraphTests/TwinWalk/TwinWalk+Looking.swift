// Compares the visible state of contexts with the plain model.
import Foundation
import ManagedGraph

@testable import StackSupport

extension TwinWalk {
    func lookAtAll() throws {
        for index in contexts.indices {
            try contexts[index].performAndWait { () throws in try look(index) }
        }
    }

    /// Reads all objects of a context and their related objects, and compares them.
    private func look(_ index: Int) throws {
        let context = contexts[index]
        let violations = context.invariantViolations(inverses: oneSided.contains(index) ? .none : .unsaved)
        if let violation = violations.first { throw fail("context \(index): \(violation)") }
        var seen: Set<Int> = []
        var isMore = true
        while isMore {
            isMore = false
            for object in context.registeredObjects { _ = try serial(of: object, index) }
            for serial in handles[index].keys.sorted() where seen.insert(serial).inserted {
                plain[index].meet(serial)
                _ = try lookAt(serial, index)
                isMore = true
            }
        }
        // Registered in the plain model, but not held by the program.
        for (serial, object) in plain[index].objects where handles[index][serial] == nil {
            if object.hasChanges && !object.isInaccessible {
                throw fail("context \(index) does not have the changed object \(serial)")
            }
            plain[index].objects[serial] = nil
        }
        try compareSets(index)
    }

    private func compareSets(_ index: Int) throws {
        let context = contexts[index]
        let objects = plain[index].objects.values
        func check(_ name: String, _ actual: Set<NSManagedObject>, _ expected: Set<Int>) throws {
            let serials = Set(try actual.map { try serial(of: $0, index) })
                .filter { plain[index].objects[$0]?.isInaccessible != true }
            if serials != expected {
                throw fail("context \(index): \(name) are \(serials.sorted()), expected \(expected.sorted())")
            }
        }
        try check(
            "insertedObjects",
            context.insertedObjects,
            Set(objects.filter { $0.isInserted && !$0.isDeleted }.map(\.serial))
        )
        try check(
            "deletedObjects",
            context.deletedObjects,
            Set(objects.filter { $0.isDeleted && !$0.isInserted && !$0.isInaccessible }.map(\.serial))
        )
        try check(
            "updatedObjects",
            context.updatedObjects,
            Set(objects.filter { $0.isUpdated && !$0.isDeleted && !$0.isInaccessible }.map(\.serial))
        )
        if context.hasChanges {
            if !objects.contains(where: { $0.hasChanges || $0.isInaccessible }) {
                throw fail("context \(index): hasChanges is true, expected false")
            }
        } else if plain[index].hasCertainChanges {
            throw fail("context \(index): hasChanges is false, expected true")
        }
    }

    /// Copies `isUpdated` of the objects, which the plain model does not always determine.
    func adoptFlags(_ index: Int) {
        for (serial, object) in handles[index] { plain[index].objects[serial]?.isUpdated = object.isUpdated }
    }

    /// Reads one object and compares it; returns false if it does not exist.
    func lookAt(_ serial: Int, _ index: Int) throws -> Bool {
        guard let object = handles[index][serial], let model = plain[index].read(serial) else { return false }
        func fail(_ key: String, _ actual: Any, _ expected: Any) -> TwinFailure {
            TwinFailure(text: "context \(index): \(serial).\(key) is \(actual), expected \(expected)")
        }
        if object.managedObjectContext !== contexts[index] {
            throw fail("managedObjectContext", object.managedObjectContext as Any, "the context")
        }
        for key in WalkSchema.attributes[model.entity] ?? [] where !model.isDeleted {
            try compare(object, model, key, fail)
        }
        if model.isInaccessible {
            _ = object.value(forKey: WalkSchema.serial)
            if !object.isDeleted { throw fail("isDeleted", false, true) }
            return true
        }
        if object.isDeleted != model.isDeleted { throw fail("isDeleted", object.isDeleted, model.isDeleted) }
        if object.isInserted != model.isInserted { throw fail("isInserted", object.isInserted, model.isInserted) }
        for relationship in model.relationships where !model.isDeleted {
            try compare(object, model, relationship, index, fail)
        }
        if model.isDeleted || model.isInserted { return true }
        let certain = model.changedColumns.union(model.changedMembers)
        let changed = Set(object.changedValues().keys)
        if !certain.isSubset(of: changed) || !changed.isSubset(of: model.touched) {
            throw fail("changedValues", changed.sorted(), "\(certain.sorted()) to \(model.touched.sorted())")
        }
        if object.isUpdated ? model.touched.isEmpty && !model.isUpdated : !certain.isEmpty {
            throw fail("isUpdated", object.isUpdated, !object.isUpdated)
        }
        model.isUpdated = object.isUpdated
        let committed = object.committedValues(forKeys: WalkSchema.attributes[model.entity])
        for (key, value) in committed where PlainValue(value) != model.committed?.values[key] ?? .null {
            throw fail("committed \(key)", PlainValue(value), model.committed?.values[key] ?? .null)
        }
        return true
    }

    private func compare(
        _ object: NSManagedObject,
        _ model: PlainObject,
        _ key: String,
        _ fail: (String, Any, Any) -> TwinFailure
    ) throws {
        let actual = PlainValue(object.value(forKey: key))
        let expected = model.current.values[key] ?? .null
        if actual == expected { return }
        guard let alternative = model.alternatives[key], actual == alternative else {
            throw fail(key, actual, expected)
        }
        model.current.values[key] = alternative
    }

    private func compare(
        _ object: NSManagedObject,
        _ model: PlainObject,
        _ relationship: WalkRelationship,
        _ index: Int,
        _ fail: (String, Any, Any) -> TwinFailure
    ) throws {
        let name = relationship.name
        let value = object.value(forKey: name)
        guard relationship.isToMany else {
            let actual = try (value as? NSManagedObject).map { try reference($0, index) }
            let expected = model.current.one[name]
            if actual == expected { return }
            guard let alternative = model.oneAlternatives[name], actual == alternative else {
                throw fail(name, actual as Any, expected as Any)
            }
            model.current.one[name] = alternative
            return
        }
        let members = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
        let actual = try members.compactMap { $0 as? NSManagedObject }.map { try reference($0, index) }
        let expected = model.members(name)
        if relationship.isOrdered, !model.current.uncertain.contains(name) {
            if actual != expected { throw fail(name, actual, expected) }
            return
        }
        if actual.sorted() != expected.sorted() { throw fail(name, actual.sorted(), expected.sorted()) }
        guard relationship.isOrdered else { return }
        model.current.many[name] = actual
        model.current.uncertain.remove(name)
        if !model.touched.contains(name) { model.committed?.many[name] = actual }
    }

    /// The serial number of a related object, which may have left the context.
    private func reference(_ object: NSManagedObject, _ index: Int) throws -> Int {
        if object.managedObjectContext != nil { return try serial(of: object, index) }
        if let number = identifiers[object.objectID] { return number }
        throw fail("context \(index): a relationship leads to an object without a context: \(object)")
    }

    /// The serial number of an object; registers a new object.
    func serial(of object: NSManagedObject, _ index: Int) throws -> Int {
        if let number = serials[index][ObjectIdentifier(object)] { return number }
        if let number = identifiers[object.objectID] {
            if object.managedObjectContext != nil { try note(object, number, index) }
            return number
        }
        guard let number = object.value(forKey: WalkSchema.serial) as? NSNumber else {
            throw fail("context \(index): unknown object \(object.objectID)")
        }
        try note(object, number.intValue, index)
        return number.intValue
    }

    func note(_ object: NSManagedObject, _ serial: Int, _ index: Int) throws {
        if let registered = handles[index][serial], registered !== object {
            if registered.managedObjectContext != nil { throw fail("context \(index) has two objects \(serial)") }
            drop(serial, index)
        }
        handles[index][serial] = object
        serials[index][ObjectIdentifier(object)] = serial
    }

    /// Compares the objects in a fresh context with the committed rows.
    func lookAtStore() throws {
        let context = stack.otherContext()
        try context.performAndWait { () throws in
            var objects: [Int: NSManagedObject] = [:]
            for entity in WalkSchema.declared where entity.parent == nil {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
                for object in try context.fetch(request) {
                    objects[(object.value(forKey: WalkSchema.serial) as? NSNumber)?.intValue ?? 0] = object
                }
            }
            if objects.keys.sorted() != store.rows.keys.sorted() {
                throw fail("the store has \(objects.keys.sorted()), expected \(store.rows.keys.sorted())")
            }
            for (serial, object) in objects { try compare(object, serial) }
        }
    }

    private func compare(_ object: NSManagedObject, _ serial: Int) throws {
        guard let row = store.row(serial) else { return }
        func number(_ object: Any?) -> Int? {
            (object as? NSManagedObject).flatMap { identifiers[$0.objectID] }
        }
        for key in WalkSchema.attributes[row.entity] ?? [] {
            let value = PlainValue(object.value(forKey: key))
            if value != row.values[key] ?? .null {
                throw fail("the store's \(serial).\(key) is \(value), expected \(row.values[key] ?? .null)")
            }
        }
        for relationship in WalkSchema.relationships(row.entity) {
            let name = relationship.name
            let value = object.value(forKey: name)
            if !relationship.isToMany {
                if number(value) != row.one[name] {
                    throw fail(
                        "the store's \(serial).\(name) is \(number(value) as Any), expected \(row.one[name] as Any)"
                    )
                }
                continue
            }
            let all = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
            let members = all.compactMap { number($0) }
            let expected = row.many[name] ?? []
            let isOrdered = relationship.isOrdered && !row.uncertain.contains(name)
            if isOrdered ? members != expected : members.sorted() != expected.sorted() {
                throw fail("the store's \(serial).\(name) are \(members), expected \(expected)")
            }
        }
    }
}
