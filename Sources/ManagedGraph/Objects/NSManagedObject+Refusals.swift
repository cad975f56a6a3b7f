// Values that the model does not allow. Swift has no exceptions, and values may come from outside the program, so an
// object keeps such a value and the save reports a validation error. The throwing setters report it immediately.
import Foundation
import GraphEngine
import GraphSQL

extension NSManagedObject {
    /// Keeps a value that no slot can hold; the next save reports it.
    func refuse(_ value: Any?, forKey key: String, _ reason: Refusal) {
        prepareToRead(isChange: true)
        let edits = ensureEdits()
        RefusedValues.keep(RefusedValue(value, reason), key: key, of: edits)
        // A save examines changed objects only.
        if state.isDisjoint(with: [.inserted, .silent]) { noteChange(edits) }
    }

    /// The key was set to something it can hold.
    @inline(__always)
    func withdrawRefusal(of slot: Int) {
        if let edits, edits.hasRefusedValues { RefusedValues.withdraw(layout.slots[slot].name, of: edits) }
    }

    /// Adds an error for each value that the model cannot take; returns their slots, nil if there are none.
    @inline(__always)
    func collectRefusals(_ errors: inout [any Error]?) -> SlotSet? {
        guard withEdits({ $0.hasRefusedValues }) == true, let edits else { return nil }
        return collectRefusals(edits, &errors)
    }

    @inline(never)
    private func collectRefusals(_ edits: Edits, _ errors: inout [any Error]?) -> SlotSet? {
        var slots = SlotSet()
        var refusals: [NSError] = []
        for (slot, description) in layout.slots.enumerated() where description.refusesAny {
            guard case .any(let box) = edits.values[slot] else { continue }
            slots.insert(slot)
            let reason = Refusal(box.value, attribute: description)
            refusals.append(reason.error(box.value, key: description.name, layout: layout, object: self))
        }
        for (key, refused) in RefusedValues.values(of: edits).sorted(by: { $0.key < $1.key }) {
            if let slot = layout.slot(named: key) { slots.insert(slot) }
            refusals.append(refused.reason.error(refused.value, key: key, layout: layout, object: self))
        }
        guard !refusals.isEmpty else {
            edits.hasRefusedValues = false
            return nil
        }
        errors = (errors ?? []) + refusals
        return slots
    }

    /// The last check before values leave the context, for classes whose validation does not call the superclass's.
    ///
    /// - Throws: The errors of all values that the model cannot take.
    @inline(__always)
    func checkRefusals(_ edits: Edits) throws {
        if edits.hasRefusedValues { try throwRefusals() }
    }

    @inline(never)
    private func throwRefusals() throws {
        var errors: [any Error]?
        _ = collectRefusals(&errors)
        if let errors, let error = CoreDataError.combine(errors) { throw error }
    }

    /// Sets a property by name, or throws if the object cannot hold the value.
    ///
    /// `setValue(_:forKey:)` takes the same value without an error, and the save reports it. The model's rules, such
    /// as the length of a text, are checked by the save either way.
    ///
    /// - Parameters:
    ///   - value: The value, or nil; from JSON, for example.
    ///   - key: A property's name.
    /// - Throws: 1550 if there is no such property or the value's type is another, 1610 or 1620 if a number is out of
    ///   range; the object is then as it was.
    public final func setValue(validating value: Any?, forKey key: String) throws {
        if let (value, reason) = refusal(of: value, forKey: key) {
            throw reason.error(value, key: key, layout: layout, object: self)
        }
        setValue(value, forKey: key)
    }

    /// Sets several properties by name, `NSNull` clearing one, or throws if the object cannot hold one of the values.
    ///
    /// - Parameter keyedValues: The values by name; from JSON, for example.
    /// - Throws: The errors of `setValue(validating:forKey:)`, 1560 for several; the object is then as it was.
    public final func setValuesForKeys(validating keyedValues: [String: Any]) throws {
        let errors = keyedValues.sorted { $0.key < $1.key }.compactMap { key, value in
            refusal(of: value, forKey: key).map { value, reason in
                reason.error(value, key: key, layout: layout, object: self)
            }
        }
        if let error = CoreDataError.combine(errors) { throw error }
        setValuesForKeys(keyedValues)
    }

    /// The value of a property, or an error if the entity has no such property.
    ///
    /// - Parameter key: A property's name, or a computed property's of the class.
    /// - Returns: The value, as `value(forKey:)` gives it.
    /// - Throws: 1550 for a key that neither the entity nor the class has.
    public final func value(validatingKey key: String) throws -> Any? {
        guard layout.computed[key] != nil || layout.slot(named: key) != nil || Self.builtInKeys.contains(key) else {
            throw unknownKeyError(key)
        }
        return value(forKey: key)
    }

    /// The error of a key that the entity does not have.
    func unknownKeyError(_ key: String) -> NSError {
        let names = layout.slots.map(\.name).sorted()
        let near = NearestName.of(key, among: names).map { " Did you mean \($0)?" } ?? ""
        return CoreDataError.validation(
            NSManagedObjectValidationError,
            "The entity \(layout.name) has no property \"\(key)\".\(near)",
            remedy: "Use one of: \(names.joined(separator: ", ")).",
            key: key,
            value: nil,
            object: self
        )
    }

    /// The value that an object cannot hold under a key, and why; nil if it can.
    private func refusal(of value: Any?, forKey key: String) -> (value: Any?, reason: Refusal)? {
        guard let slot = layout.slot(setBy: key) else { return (value, .unknownKey) }
        return refusal(of: value, layout.slots[slot])
    }

    private func refusal(of value: Any?, _ slot: Slot) -> (value: Any?, reason: Refusal)? {
        if slot.kind == .fetched { return (value, .fetchedProperty) }
        guard let value = flatten(value), !(value is NSNull) else { return nil }
        switch slot.kind {
        case .attribute:
            if slot.type == .composite {
                switch elementValues(value, of: slot) {
                case .failure(let reason): return (value, reason)
                case .success(let values):
                    return slot.elements.lazy
                        .compactMap { self.refusal(of: values[$0.name], self.layout.slots[$0.slot]) }.first
                }
            }
            if Value(value, as: slot.type) != nil { return nil }
            return (value, Refusal(value, attribute: slot))
        case .toOne:
            return refusal(ofDestination: value, slot).map { (value, $0) }
        case .toMany:
            guard let members = Self.members(of: value) else { return (value, .type(expected: Self.membersText)) }
            return members.lazy.compactMap { member in
                self.refusal(ofDestination: member, slot).map { (member, $0) }
            }.first
        case .fetched:
            return (value, .fetchedProperty)
        }
    }

    /// The reason why a relationship cannot lead to a value; nil if it can.
    private func refusal(ofDestination value: Any, _ slot: Slot) -> Refusal? {
        guard let object = value as? NSManagedObject else { return .type(expected: "a managed object") }
        return refusal(of: object, as: slot)
    }

    /// The reason why a relationship cannot lead to an object; nil if it can.
    func refusal(of object: NSManagedObject, as slot: Slot) -> Refusal? {
        if let destination = slot.destination, let model = layout.model {
            let expected = model.layouts[destination]
            guard object.layout.isKind(of: expected) || object.layout.name == expected.name else {
                return .entity(expected: expected.name)
            }
        }
        // The state of another context's object may be changing. That object is refused by the caller.
        let isAnothers = object.registry != nil && object.registry !== registry
        return registry != nil && !isAnothers && object.state.contains(.gone) ? .departed : nil
    }

    /// The members that a value stands for; nil if it is neither a collection nor an object.
    static func members(of value: Any) -> [Any]? {
        if let members = (value as? any ManagedCollection)?.managedObjects { return members }
        return switch value {
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let array as [Any]: array
        case let set as Set<AnyHashable>: set.map(\.base)
        case let object as NSManagedObject: [object]
        default: nil
        }
    }

    /// The kinds of values that a to-many relationship accepts, for messages.
    static let membersText = "a set of managed objects"

    /// The elements of a composite attribute's value, or why it is none.
    func elementValues(_ value: Any?, of slot: Slot) -> Result<[String: Any], Refusal> {
        let value = flatten(value)
        guard let values = value == nil || value is NSNull ? [:] : value as? [String: Any] else {
            return .failure(.type(expected: ValueTypeCheck.expectation(of: .composite)))
        }
        let names = slot.elements.map(\.name)
        if let unknown = values.keys.sorted().first(where: { !names.contains($0) }) {
            return .failure(.unknownElement(unknown, elements: names))
        }
        return .success(values)
    }
}
