// Reading and writing one slot, whatever its kind. Called by key-value coding, by the slow typed accessors, by
// validation and by the save; the fast typed accessors are in NSManagedObject+TypedAccess.swift.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQLite

extension NSManagedObject {
    /// The slot's value now: the object's own, else the snapshot's.
    package func currentValue(_ slot: Int) -> Value {
        prepareToRead(slot)
        if let edits {
            let editedValue = edits.values[slot]
            if !editedValue.isAbsent { return editedValue }
        }
        let value = snapshotValue(slot)
        switch value {
        case .any, .data: keepDecoded(value, slot)
        default: break
        }
        return value
    }

    /// Keeps a value that was costly to read: a property shows one object as long as it has one value.
    @inline(never)
    private func keepDecoded(_ value: Value, _ slot: Int) {
        let description = layout.slots[slot]
        guard description.type == .transformable || description.allowsExternalStorage else { return }
        ensureEdits().values[slot] = value
    }

    /// The slot's value as it was last read or saved.
    func committedValue(_ slot: Int) -> Value {
        prepareToRead()
        guard let edits else { return snapshotValue(slot) }
        if edits.changed.contains(slot) { return edits.committed?[slot] ?? snapshotValue(slot) }
        let editedValue = edits.values[slot]
        return editedValue.isAbsent ? snapshotValue(slot) : editedValue
    }

    /// The value in the row batch, the model's default if no row has the property; null if there is no row.
    func snapshotValue(_ slot: Int) -> Value {
        guard let rows else { return .null }
        let column = Int(table.pointee.columns[slot])
        guard column >= 0 else { return layout.defaults[slot] }
        let (type, row) = (table.pointee.types[slot], Int(row))
        return rows._withUnsafeGuaranteedRef { batch in
            // Numbers need neither a reference to the rows nor the property.
            switch type {
            case .integer16, .integer32, .integer64, .boolean:
                batch.isNull(column, row) ? .null : .integer(batch.integer(column, row))
            case .double, .float, .date: batch.isNull(column, row) ? .null : .real(batch.real(column, row))
            default: Value(batch, column: column, row: row, slot: layout.slots[slot], object: self)
            }
        }
    }

    /// The slot's value as key-value coding shows it.
    func publicValue(_ slot: Int) -> Any? {
        let description = layout.slots[slot]
        switch description.kind {
        case .attribute:
            if description.type == .composite { return composed(description) { publicValue($0) } }
            return currentValue(slot).publicAttribute(description.type)
        case .toOne: return toOneObject(slot)
        case .toMany: return toManyCollection(slot)
        case .fetched: return fetchedPropertyValue(slot)
        }
    }

    /// Sets a slot from key-value coding, with change tracking and inverse upkeep.
    ///
    /// A value that the property cannot hold is kept for the save to report.
    func setPublicValue(_ value: Any?, slot: Int) {
        let description = layout.slots[slot]
        switch description.kind {
        case .attribute:
            if description.type == .composite {
                return forEachElement(of: slot, value) { setPublicValue($1, slot: $0) }
            }
            let (converted, isRefused) = convert(value, for: description)
            let edits = prepareToChange(slot)
            edits.values[slot] = converted
            if isRefused { edits.hasRefusedValues = true }
        case .toOne:
            let destination = flatten(value)
            if destination == nil || destination is NSNull {
                withdrawRefusal(of: slot)
                setToOne(slot, to: nil)
            } else if let object = destinationObject(destination, description) {
                withdrawRefusal(of: slot)
                setPublicToOne(slot, to: object)
            }
        case .toMany:
            withdrawRefusal(of: slot)
            guard let members = destinationObjects(value, description) else { return }
            setToMany(slot, to: members)
        case .fetched:
            refuse(value, forKey: description.name, .fetchedProperty)
        }
    }

    /// Sets a slot without notice to anything but the next save.
    func setPrimitive(_ value: Any?, slot: Int) {
        let description = layout.slots[slot]
        prepareToRead(slot, isChange: true)
        if description.type == .composite, description.kind == .attribute {
            return forEachElement(of: slot, value) { setPrimitive($1, slot: $0) }
        }
        let edits = ensureEdits()
        switch description.kind {
        case .attribute:
            notePrimitiveChange(slot, edits)
            let (converted, isRefused) = convert(value, for: description)
            edits.values[slot] = converted
            if isRefused { edits.hasRefusedValues = true }
        case .toOne:
            let destination = flatten(value)
            if destination == nil || destination is NSNull {
                notePrimitiveChange(slot, edits)
                edits.values[slot] = .null
            } else if let object = destinationObject(destination, description) {
                notePrimitiveChange(slot, edits)
                edits.values[slot] = .object(object)
            } else {
                return
            }
            withdrawRefusal(of: slot)
        case .toMany:
            withdrawRefusal(of: slot)
            guard let members = destinationObjects(value, description) else { return }
            notePrimitiveChange(slot, edits)
            toManyState(slot).replaceWithoutInverse(members, owner: self, slot: slot)
        case .fetched:
            return refuse(value, forKey: description.name, .fetchedProperty)
        }
    }

    /// Lists a slot as changed, before its value is set, and keeps the own value that a saved object had.
    ///
    /// The store must see the value when the object is saved for another reason, and `changedValues()` lists it. A
    /// value that `awakeFromFetch()` computes for a transient property is not a change.
    private func notePrimitiveChange(_ slot: Int, _ edits: Edits) {
        noteIndexedChange()
        if state.contains(.silent), layout.slots[slot].isTransient { return }
        if edits.noteChanged(slot) { keepCommitted(slot, edits) }
    }

    /// Notifies the context's index of unsaved values that one of them is about to change.
    func noteIndexedChange() {
        guard state.contains(.indexed) else { return }
        state.remove(.indexed)
        registry?.context?.pendingIndex?.note(self)
    }

    /// Keeps an own value that was current before a change of a saved object.
    private func keepCommitted(_ slot: Int, _ edits: Edits) {
        let editedValue = edits.values[slot]
        guard !state.contains(.inserted), !editedValue.isAbsent else { return }
        edits.committed = (edits.committed ?? [:]).merging([slot: editedValue]) { _, new in new }
    }

    /// A composite attribute's value: those of its elements that are not nil; nil if all are.
    func composed(_ slot: Slot, _ value: (Int) -> Any?) -> [String: Any]? {
        var result: [String: Any] = [:]
        for element in slot.elements { result[element.name] = value(element.slot) }
        return result.isEmpty ? nil : result
    }

    /// Calls `body` with each element of a composite attribute and its value in a dictionary.
    private func forEachElement(of slot: Int, _ value: Any?, _ body: (Int, Any?) -> Void) {
        let description = layout.slots[slot]
        switch elementValues(value, of: description) {
        case .success(let values):
            withdrawRefusal(of: slot)
            for element in description.elements { body(element.slot, values[element.name]) }
        case .failure(let reason):
            refuse(value, forKey: description.name, reason)
        }
    }

    /// The value as the slot holds it; one that the attribute cannot hold stays as it is, boxed.
    @inline(__always)
    private func convert(_ value: Any?, for slot: Slot) -> (value: Value, isRefused: Bool) {
        guard let value = flatten(value, keepsEnumerations: slot.holdsAnything) else { return (.null, false) }
        if let converted = Value(value, as: slot.type) { return (converted, false) }
        return (.any(AnyBox(value)), true)
    }

    /// Notes that a slot is about to change and returns the edits to write to.
    @inline(__always)
    func prepareToChange(_ slot: Int) -> Edits {
        prepareToRead(slot, isChange: true)
        var edits = ensureEdits()
        if !state.isDisjoint(with: [.silent, .observed, .indexed]) {
            noteIndexedChange()
            if state.contains(.observed) { edits = notifyObservers(slot) }
            if state.contains(.silent) { return edits }
        }
        if state.contains(.inserted) {
            edits.noteChanged(slot)
            if state.contains(.pendingInsert) {
                edits.noteChangedInEvent(slot)
                return edits
            }
            if !state.contains(.pendingUpdate) { noteChange(edits) }
            if edits.noteChangedInEvent(slot) { noteEventValue(slot, edits) }
            return edits
        }
        if edits.noteChanged(slot) { keepCommitted(slot, edits) }
        if !state.contains(.pendingUpdate) || !state.contains(.updated) { noteChange(edits) }
        if edits.noteChangedInEvent(slot) { noteEventValue(slot, edits) }
        return edits
    }

    /// Notifies observers that a slot is about to change and returns the edits to write to.
    ///
    /// An observer may turn the object into a fault, whose edits are new, or fetch, which enters it into the index.
    @inline(never)
    private func notifyObservers(_ slot: Int) -> Edits {
        ObservedObjects.noteChange(self, slot)
        prepareToRead(slot, isChange: true)
        noteIndexedChange()
        if layout.slots[slot].kind == .toMany { _ = toManyState(slot) }
        return ensureEdits()
    }

    /// Keeps a value as it was when the event began.
    private func noteEventValue(_ slot: Int, _ edits: Edits) {
        if case .toMany(let members) = edits.values[slot] {
            let isOrdered = layout.slots[slot].isOrdered && registry?.context?.undoManager != nil
            let copy = members.copyOfChanges()
            if isOrdered { copy.formerOrder = toManyMembers(slot) }
            edits.noteFormerValue(.toMany(copy), slot)
        } else {
            edits.noteFormerValue(edits.values[slot], slot)
        }
    }

    /// Lists the object as changed in the context's event.
    @inline(never)
    func noteChange(_ edits: Edits) {
        guard let context = registry?.context else { return }
        let event = context.changeEvent
        if edits.event != event {
            edits.event = event
            edits.forgetEvent()
        }
        context.noteChange(of: self)
    }

    @inline(__always)
    func ensureEdits() -> Edits {
        if let edits { return edits }
        let newEdits = Edits(count: layout.slots.count)
        edits = newEdits
        return newEdits
    }

    /// Gives a new object its default values.
    func setDefaults() {
        guard state.contains(.unset) else { return }
        state.remove(.unset)
        if content.isEmpty {
            content.setNewEdits(Edits(defaultsOf: table))
        } else if edits == nil {
            edits = Edits(defaultsOf: table)
        }
    }

    /// The slot of a key; an unknown one is logged, once.
    func slot(forKey key: String) -> Int? {
        if let slot = layout.slot(named: key) { return slot }
        Diagnosis.warnOnce(layout, key, "The entity \(layout.name) has no property \"\(key)\": it reads as nil.")
        return nil
    }

    /// Keys that every managed object answers beside its properties.
    static let builtInKeys: Set<String> = [
        "self", "SELF", "objectID", "entity", "managedObjectContext", "hasChanges", "isInserted", "isUpdated",
        "isDeleted",
        "isFault",
    ]

    /// The keys beside its properties that predicates may read from an object.
    func value(forBuiltInKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "objectID": objectID
        case "entity": entity
        case "managedObjectContext": managedObjectContext
        case "hasChanges": hasChanges
        case "isInserted": isInserted
        case "isUpdated": isUpdated
        case "isDeleted": isDeleted
        case "isFault": isFault
        default: nil
        }
    }

    /// The value at a dotted path; collections on the way give the collection of their members' values.
    ///
    /// - Parameter keyPath: Property names joined by dots; collection operators such as `@count` are supported.
    /// - Returns: The value; numbers as `NSNumber`. For a path through a set it is an `NSSet` of the members' values
    ///   without nil, through an ordered set an array with `NSNull` for nil.
    public func value(forKeyPath keyPath: String) -> Any? {
        // A path that leads nowhere has no value; the same path in a fetch is an error with the nearest name.
        // The members of the relationship before an operator are read without a set for them.
        let reader = KeyPathReader(path: keyPath, isRepeated: keyPath.utf8.contains(UInt8(ascii: "@")))
        return (try? reader.read(from: .readable(self)))?.keyValue
    }

    /// Sets the property, or the element of a composite attribute, at the end of a path of to-one relationships.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - keyPath: Property names joined by dots.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let dot = keyPath.firstIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        if let slot = layout.slot(named: keyPath) { return setPublicValue(value, slot: slot) }
        guard let base = self.value(forKey: String(keyPath[..<dot])) else { return }
        guard let next = base as? NSManagedObject else { return setValue(value, forUndefinedKey: keyPath) }
        next.setValue(value, forKeyPath: String(keyPath[keyPath.index(after: dot)...]))
    }

    /// The values of several properties, `NSNull` if there is none.
    ///
    /// - Parameter keys: Properties' names.
    /// - Returns: The values by name.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets several properties; `NSNull` clears one.
    ///
    /// - Parameter keyedValues: The values by name.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}

// A member of the class itself would stop a subclass from declaring a subscript with a text of its own.
extension NSFetchRequestResult where Self: NSManagedObject {
    /// A property by name.
    ///
    /// - Parameter key: A property's name.
    public subscript(key: String) -> Any? {
        get { value(forKey: key) }
        nonmutating set { setValue(newValue, forKey: key) }
    }
}

extension EvaluatedValue {
    /// The value as key-value coding shows it.
    fileprivate var keyValue: Any? {
        switch self {
        case .boolean(let value): return NSNumber(value: value)
        case .integer(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .decimal(let value): return NSDecimalNumberPlaceholder(decimal: value)
        case .collection(let collection):
            // A collection that the object holds is shown as it is.
            if type(of: collection) is AnyClass { return collection.shownValue }
            let values = collection.evaluatedElements().map(\.keyValue)
            return collection.isUnordered ? NSSet(array: values.compactMap(\.self)) : values.map { $0 ?? NSNull() }
        default: return anyValue
        }
    }
}

extension Value {
    /// Reads a cell of a row batch.
    init(_ batch: RowBatch, column: Int, row: Int, slot: Slot, object: NSManagedObject) {
        if batch.isNull(column, row) {
            self = .null
            return
        }
        if slot.kind == .toOne {
            let primaryKey = batch.integer(column, row)
            guard primaryKey > 0 else {
                Diagnosis.log.error(
                    "\(object.describeForMessages) leads by \(slot.name) to the key \(primaryKey), which no row can have."
                )
                self = .null
                return
            }
            let number = slot.storesDestinationEntity ? batch.integer(column + 1, row) : 0
            self = .reference(object.destinationKey(slot, primaryKey: primaryKey, entityNumber: number))
            return
        }
        switch slot.type {
        case .integer16, .integer32, .integer64, .boolean: self = .integer(batch.integer(column, row))
        case .double, .float, .date: self = .real(batch.real(column, row))
        case .string: self = .string(batch.string(column, row))
        case .decimal:
            let literal = batch.string(column, row)
            self = Decimal(string: literal, locale: Locale(identifier: "en_US_POSIX")).map(Value.decimal) ?? .null
        case .uri: self = URL(string: batch.string(column, row)).map(Value.url) ?? .null
        case .uuid: self = batch.uuid(column, row).map(Value.uuid) ?? .null
        case .binary:
            let stored = batch.data(column, row)
            let data =
                slot.allowsExternalStorage
                ? NSPersistentStoreCoordinator.externalData(stored, column, of: object) : stored
            self = data.map(Value.data) ?? .null
        case .transformable:
            let stored = batch.data(column, row)
            let data =
                slot.allowsExternalStorage
                ? NSPersistentStoreCoordinator.externalData(stored, column, of: object) : stored
            self = data.map { Transforming.value(from: $0, slot: slot) } ?? .null
        case .objectID, .undefined, .composite: self = .null
        }
    }
}

extension RowBatch {
    fileprivate func uuid(_ column: Int, _ row: Int) -> UUID? {
        withBytes(column, row) { bytes in
            bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
        }
    }
}
