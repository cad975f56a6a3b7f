// A managed object: a thin view of a row of a batch, with its own values only for changed properties. Created by
// contexts and by users; its parts are in NSManagedObject+Job.swift. Methods that subclasses override are in this file,
// because a method of an extension cannot be overridden outside Apple's platforms.
import Foundation
import GraphEngine
import GraphPredicates
import GraphSQLite

/// An object of a managed object context.
///
/// Use it on the queue of its context only. See
/// [NSManagedObject](https://developer.apple.com/documentation/coredata/nsmanagedobject).
open class NSManagedObject: NSObject, NSFetchRequestResult, KeyValueReadable {
    // The fields are touched on the context's queue only, one at a time and by methods of this module: the run-time
    // check for overlapping access would cost more than the access.

    //
    // The sizes count: with the header of 16 bytes these fields are 56 bytes, which malloc serves from 64.

    /// The slots of the object's entity for accessors, its layout and the index of its store; never freed.
    @exclusivity(unchecked) final var table: UnsafePointer<LayoutTable>
    /// The context's registry, or the link of the store that the object was in; see `registry`.
    @exclusivity(unchecked) final var home = ObjectHome()
    /// The rows that the object was read from, its own values and its page; see `rows`, `edits` and `page`.
    @exclusivity(unchecked) final var content = ObjectContent()
    /// The primary key; negative for an object that was never saved, 0 if its identifier was not requested either.
    @exclusivity(unchecked) final var primaryKey: Int64 = 0
    @exclusivity(unchecked) final var row: Int32 = 0
    @exclusivity(unchecked) final var state: ObjectState

    /// Makes an object of an entity and inserts it into a context.
    ///
    /// - Parameters:
    ///   - entity: The entity, which must belong to a model.
    ///   - context: The context to insert into, or nil for an object without one.
    public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        table = entity.table ?? ObjectLayout.of(entity).table
        state = .unset
        super.init()
        if let context { context.insertNew(self) }
    }

    /// Makes an object of this class's entity and inserts it into a context.
    ///
    /// A subclass may declare an initializer of the same form, without `override`.
    ///
    /// - Parameter context: A context with a coordinator whose model has an entity of this class.
    public convenience init(context: NSManagedObjectContext) {
        self.init(entity: Self.entity(in: context), insertInto: context)
    }

    /// The key paths of this class that stand for properties of the model, inherited ones included.
    ///
    /// The build plugin lists them; override this in a class that is written without it, so that `#Predicate` and
    /// `SortDescriptor` can name its properties.
    ///
    /// - Returns: The key paths with their names. Called once for each class.
    open class func managedKeyPaths() -> [ManagedKeyPath] { ManagedObjectRegistry.keyPaths(of: self) }

    deinit {
        home.withRegistry { registry in
            if primaryKey != 0, !state.contains(.unregistered) { registry.removeDeallocated(self) }
            if state.contains(.holding) { registry.release(takeHeldMembers()) }
        }
        content.release()
        home.release()
        if state.contains(.observed) { ObservedObjects.forget(ObjectIdentifier(self)) }
    }

    // MARK: Identity

    /// The entity of the object.
    public final var entity: NSEntityDescription { layout.entity }

    /// The context the object is registered with; nil once it was deleted and saved, or the context is gone.
    public final var managedObjectContext: NSManagedObjectContext? { registry?.context }

    /// Whether changes to properties outside of the model leave the object unchanged; always true here.
    open class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { true }

    /// The entity of this class in the model that was used last and has one.
    ///
    /// - Returns: The entity. If no model in use names this class, an entity without a name that is in no model; that
    ///   is logged.
    open class func entity() -> NSEntityDescription {
        if let entity = ManagedObjectRegistry.entity(of: self) { return entity }
        Diagnosis.log.error(
            """
            No model in use has an entity of the class \(self). Load the model first, for example by making its \
            NSPersistentContainer, and check the entity's class name.
            """
        )
        return NSEntityDescription()
    }

    /// A fetch request for the entity of this class.
    ///
    /// - Returns: A request; generated classes have a typed one beside it.
    @_disfavoredOverload
    open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
        let entity = entity()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entity.name ?? "")
        request.entity = entity
        return request
    }

    /// The name of this class with its module, which is the class name of an entity.
    ///
    /// - Returns: `App.Task` for `Task`, as Apple's `NSObject` returns it.
    open class func description() -> String { NamedClasses.name(of: self) }

    // MARK: Life cycle, for subclasses

    /// Called once in an object's life, when it is inserted; set initial values with primitive setters here.
    open func awakeFromInsert() {}

    /// Called after a fault has been filled from the store; changes made here are not tracked.
    open func awakeFromFetch() {}

    /// Called after undo, rollback, refresh or a merge has changed the values.
    ///
    /// - Parameter flags: The kind of event.
    open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

    /// Called when the object is about to be deleted, before its relationships are cut.
    open func prepareForDeletion() {}

    /// Called before the object is saved; changes made through accessors are saved too.
    open func willSave() {}

    /// Called after the object was saved.
    open func didSave() {}

    /// Called before the object becomes a fault; its values can still be read.
    ///
    /// It is not called for an object that is deallocated; use `deinit` for that.
    open func willTurnIntoFault() {}

    /// Called after the object became a fault.
    open func didTurnIntoFault() {}

    // MARK: Key-value coding, for subclasses

    /// The value of a property, through the class's own accessor if it computes one.
    ///
    /// - Parameter key: A property's name.
    /// - Returns: The value; numbers as `NSNumber`, to-many relationships as `NSSet` or `NSOrderedSet`. An accessor's
    ///   enumeration is its raw value, as for an `@objc` enumeration on Apple's platforms.
    open func value(forKey key: String) -> Any? {
        guard let computed = layout.computed[key] else { return modeledValue(forKey: key) }
        let holdsAnything = layout.slot(named: key).map { layout.slots[$0].holdsAnything } ?? false
        return flatten(computedValue(computed, forKey: key), keepsEnumerations: holdsAnything)
    }

    /// The value of a property of the model, or of one that every object has.
    final func modeledValue(forKey key: String) -> Any? {
        if let slot = layout.slot(named: key) { return publicValue(slot) }
        if Self.builtInKeys.contains(key) { return value(forBuiltInKey: key) }
        return value(forUndefinedKey: key)
    }

    /// Sets a property by name.
    ///
    /// A value that the property cannot hold (text for a number, a number out of range, an object of another entity) is
    /// kept, and the save reports it with 1550, 1610 or 1620; `setValue(validating:forKey:)` throws immediately.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - key: A property's name, also with a capital first letter: both keys have the setter `setName:`.
    open func setValue(_ value: Any?, forKey key: String) {
        guard let slot = layout.slot(setBy: key) else { return setValue(value, forUndefinedKey: key) }
        setPublicValue(value, slot: slot)
    }

    /// Called by `value(forKey:)` for a key that neither the entity nor the class has; logs it once.
    ///
    /// - Parameter key: The key.
    /// - Returns: Nil. Override it to answer other keys; `value(validatingKey:)` throws instead.
    open func value(forUndefinedKey key: String) -> Any? {
        _ = slot(forKey: key)
        return nil
    }

    /// Called by `setValue(_:forKey:)` for a key that the entity does not have: the next save fails with 1550.
    ///
    /// Override it to pass over keys that are not the model's, of JSON for example. Nil takes back a value that was set
    /// before.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - key: The key.
    open func setValue(_ value: Any?, forUndefinedKey key: String) {
        if value == nil {
            if let edits, edits.hasRefusedValues { RefusedValues.withdraw(key, of: edits) }
        } else {
            refuse(value, forKey: key, .unknownKey)
        }
    }

    /// The value of a property as it is in memory, which fires no fault.
    ///
    /// - Parameter key: A property's name.
    /// - Returns: The value; nil for a fault, so that an accessor calls `willAccessValue(forKey:)` first.
    ///   To-many relationships come as mutable sets, which change the relationship without notice too.
    open func primitiveValue(forKey key: String) -> Any? {
        guard let slot = layout.slot(named: key) else { return value(forUndefinedKey: key) }
        guard hasPrimitiveValue(slot) else { return nil }
        guard layout.slots[slot].kind == .toMany else { return publicValue(slot) }
        return layout.slots[slot].isOrdered
            ? OrderedRelationship.make(owner: self, slot: slot, isPrimitive: true)
            : RelationshipSet.make(owner: self, slot: slot, isPrimitive: true)
    }

    /// Sets a property without change tracking: it neither dirties the object nor touches the inverse relationship.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - key: A property's name.
    open func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard let slot = layout.slot(named: key) else { return setValue(value, forUndefinedKey: key) }
        setPrimitive(value, slot: slot)
    }

    /// Called before a value is read.
    ///
    /// - Parameter key: A property's name, or nil.
    open func willAccessValue(forKey key: String?) {
        if state.contains(.fault) { fire() }
    }

    /// Called after a value was read.
    ///
    /// - Parameter key: A property's name, or nil.
    open func didAccessValue(forKey key: String?) {}

    /// Announces that a property is about to change; needed only around primitive setters.
    ///
    /// - Parameter key: A property's name.
    open func willChangeValue(forKey key: String) {
        if let slot = layout.slot(named: key) { announceChange(slot) }
    }

    /// Reports that a property has changed.
    ///
    /// - Parameter key: A property's name.
    open func didChangeValue(forKey key: String) {
        if let slot = layout.slot(named: key) { concludeChange(slot) }
    }

    /// Announces that a to-many relationship is about to change; needed only around primitive setters.
    ///
    /// - Parameters:
    ///   - inKey: The relationship's name.
    ///   - inMutationKind: How it will change.
    ///   - inObjects: The objects that are added, removed or kept.
    open func willChangeValue(
        forKey inKey: String,
        withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        willChangeValue(forKey: inKey)
    }

    /// Reports that a to-many relationship has changed; its other side follows.
    ///
    /// - Parameters:
    ///   - inKey: The relationship's name.
    ///   - inMutationKind: How it has changed.
    ///   - inObjects: The objects that were added, removed or kept.
    open func didChangeValue(
        forKey inKey: String,
        withSetMutation inMutationKind: NSKeyValueSetMutationKind,
        using inObjects: Set<AnyHashable>
    ) {
        didChangeValue(forKey: inKey)
    }

    /// The pointer that an observer has attached to the object.
    ///
    /// - Returns: The pointer that `setObservationInfo(_:)` was given, or nil.
    open func observationInfo() -> UnsafeMutableRawPointer? { ObservedObjects.observationInfo(self) }

    /// Leaves something with the object, for an observing layer above this one.
    ///
    /// - Parameter inObservationInfo: A pointer that the caller owns, or nil.
    open func setObservationInfo(_ inObservationInfo: UnsafeMutableRawPointer?) {
        ObservedObjects.setObservationInfo(inObservationInfo, self)
    }

    /// The properties that a computed property reads, for key-value observing on Apple's platforms.
    ///
    /// On other platforms only the program calls it: observation tracks the properties that a computed property reads.
    ///
    /// - Parameter key: The name of a computed property.
    /// - Returns: Key paths; none unless a class overrides the method.
    open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

    // MARK: Validation, for subclasses

    /// Checks, and may replace, a value for a property: the model's rules, then the class's `validate<Key>` method.
    ///
    /// - Parameters:
    ///   - value: The value; the method may put another in its place.
    ///   - key: A property's name.
    /// - Throws: An `NSError` of `NSCocoaErrorDomain` with a validation code (1550 to 1690), or the errors of the
    /// class.
    open func validateValue(_ value: inout Any?, forKey key: String) throws {
        guard let slot = layout.slot(named: key) else { throw unknownKeyError(key) }
        try validateOne(&value, slot: slot)
    }

    #if !canImport(ObjectiveC)
        /// Checks, and may replace, a value for a property, with the signature that Apple's method has in Swift.
        ///
        /// A save calls it in classes that override it. Its implementation calls the method that takes a value.
        ///
        /// - Parameters:
        ///   - value: The place of the value; the method may put another in it.
        ///   - key: A property's name.
        /// - Throws: As the method that takes a value.
        open func validateValue(
            _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
            forKey key: String
        ) throws {
            let before = value.value
            var checked = before
            try validateValue(&checked, forKey: key)
            if !Self.isSame(before, checked) { value.pointee = checked.map { $0 as AnyObject } }
        }

        /// Checks, and may replace, an object for a property.
        ///
        /// - Parameters:
        ///   - value: The object; the method may put another in its place.
        ///   - key: A property's name.
        /// - Throws: As the method that takes a value.
        public final func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
            let place = AutoreleasingUnsafeMutablePointer(value)
            try validateValue(place, forKey: key)
            value = place.pointee
        }
    #endif

    /// Checks whether the object can be deleted: no relationship may deny it.
    ///
    /// - Throws: Code 1600 if a relationship with the rule deny has destinations.
    open func validateForDelete() throws {
        try validateDenyRules()
    }

    /// Checks the object before its first save.
    ///
    /// - Throws: The one error, or code 1560 with all of them under `NSDetailedErrorsKey`.
    open func validateForInsert() throws {
        try validateProperties()
    }

    /// Checks the object before it is saved again.
    ///
    /// - Throws: The one error, or code 1560 with all of them under `NSDetailedErrorsKey`.
    open func validateForUpdate() throws {
        try validateProperties()
    }

    // MARK: Identity

    /// Whether two references are one object: a context has one object for a row.
    open override func isEqual(_ object: Any?) -> Bool {
        // Sets compare objects often. Of a reference, the first word is the address, and another value with the same
        // first word is not of the class; a cast would cost ten times as much.
        let own = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        guard unsafeBitCast(object, to: (UnsafeRawPointer?, Int, Int, Int).self).0 == own else { return false }
        guard let object else { return false }
        return Swift.type(of: object) == Swift.type(of: self)
    }

    /// A hash of the object's identity.
    open override var hash: Int { Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 }

    /// The class, the identifier and the values that are in memory.
    open override var description: String { describe() }

    /// The same as `description`.
    open override var debugDescription: String { describe() }
}

extension NSManagedObject: ManagedObjectMaking {}

extension NSManagedObject {
    /// The entity of this class in a context's model; stops the program with a message if there is none.
    static func entity(in context: NSManagedObjectContext) -> NSEntityDescription {
        if let layout = context.latestLayout(of: self) { return layout.entity }
        guard let model = context.compiledModel else {
            preconditionFailure(
                "Cannot make a \(self): the context has no persistent store coordinator. Set one, or a parent, first."
            )
        }
        guard let layout = context.layout(of: self, in: model) else {
            preconditionFailure(
                "Cannot make a \(self): the context's model has no entity of that class. "
                    + (self == NSManagedObject.self
                        ? "On a metatype, call init(entity: type.entity(), insertInto: context)."
                        : "Check the entity's class name.")
            )
        }
        return layout.entity
    }
}
