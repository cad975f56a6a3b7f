// An object's own values: those set and not saved, and those saved that no snapshot holds yet.
// Owned by one managed object; a clean object fresh from a fetch has none.
import GraphEngine

/// An object's own values beside its snapshot.
///
/// Most changed objects have one changed property, so one value is stored in the edits themselves, a table is allocated
/// for the second, and an extension for parts that few objects have.
final class Edits: ObjectParts {
    // The sizes count: with the header of 16 bytes these fields are 72 bytes, which malloc serves from 80.

    /// The value of `singleSlot`, unless the values are in a table.
    @exclusivity(unchecked) private var single: Value
    @exclusivity(unchecked) private var singleSlot: UInt8
    /// The number of slots.
    private let count: UInt16
    /// The address of a table of values, that of an extension with its lowest bit set, or 0.
    @exclusivity(unchecked) private var storage: UInt
    /// The sets of slots, unless `.isWide`.
    @exclusivity(unchecked) private var narrowChanged: UInt32 = 0
    @exclusivity(unchecked) private var narrowChangedInEvent: UInt32 = 0
    @exclusivity(unchecked) private var eventNumber: UInt32 = 0
    /// Flags in the low bits, the version above them.
    @exclusivity(unchecked) private var flagsAndVersion: UInt32 = 0

    private enum Flag {
        static let isWholeRow: UInt32 = 1
        static let isPartial: UInt32 = 2
        static let hasRefusedValues: UInt32 = 4
        static let isRowWritten: UInt32 = 8
        /// The extension has the sets of slots.
        static let isWide: UInt32 = 16
        /// The extension has the version.
        static let isLongVersion: UInt32 = 32
        /// The values at the beginning of the event are known.
        static let hasFormerValues: UInt32 = 64
        static let width: UInt32 = 7
        static let all: UInt32 = (1 << width) - 1
    }

    private static let noSlot = UInt8.max

    init(count: Int) {
        single = .absent
        singleSlot = Self.noSlot
        self.count = UInt16(clamping: count)
        storage = count > UInt16.max ? ValueTable(count: count).address : 0
        super.init()
    }

    /// Makes the values of a new object.
    init(defaultsOf table: UnsafePointer<LayoutTable>) {
        single = .absent
        singleSlot = Self.noSlot
        count = UInt16(clamping: table.pointee.defaults.count)
        storage = ValueTable(table.pointee.defaults, arePlain: table.pointee.hasPlainDefaults).address
        super.init()
        isWholeRow = true
    }

    deinit {
        if hasRefusedValues { RefusedValues.forget(self) }
        if storage & 1 == 1 { extensionReference.release() } else { ownTable?.free() }
    }

    // MARK: Values

    /// By slot; `.absent` if the snapshot's value holds.
    var values: SlotValues {
        @inline(__always)
        get { SlotValues(edits: self) }
    }

    /// The table of values, unless the extension has it.
    @inline(__always)
    private var ownTable: ValueTable? { storage == 0 || storage & 1 == 1 ? nil : ValueTable(address: storage) }

    @inline(__always)
    func value(_ slot: Int) -> Value {
        if let ownTable { return ownTable[slot] }
        if let table = extended?.table { return table[slot] }
        return slot == Int(singleSlot) ? single : .absent
    }

    /// Whether a slot has an own value, without a copy of it.
    @inline(__always)
    func presence(_ slot: Int) -> ValuePresence { ownTable?.presence(slot) ?? ValuePresence(value(slot)) }

    @inline(__always)
    func setValue(_ value: Value, _ slot: Int) {
        if let ownTable { ownTable[slot] = value } else { setValueSlowly(value, slot) }
    }

    /// Sets a value of an object that is new in its event.
    @inline(never)
    func setInInsertion(_ value: __owned Value, _ slot: Int) {
        noteChanged(slot)
        noteChangedInEvent(slot)
        setValue(value, slot)
    }

    @inline(never)
    private func setValueSlowly(_ value: Value, _ slot: Int) {
        if let table = extended?.table { return table[slot] = value }
        if Int(singleSlot) == slot || singleSlot == Self.noSlot, slot < Int(Self.noSlot) {
            let former = single
            single = value
            singleSlot = value.isAbsent ? Self.noSlot : UInt8(slot)
            return withExtendedLifetime(former) {}
        }
        if !value.isAbsent { table[slot] = value }
    }

    /// The values of all slots, made if there is one value at most; valid until the edits change.
    var table: ValueTable {
        if let existing = ownTable ?? extended?.table { return existing }
        let newTable = ValueTable(count: Int(count))
        if singleSlot != Self.noSlot { newTable[Int(singleSlot)] = single }
        single = .absent
        singleSlot = Self.noSlot
        if let extended { extended.table = newTable } else { storage = newTable.address }
        return newTable
    }

    // MARK: Sets of slots

    /// Slots changed since the last save or fetch.
    var changed: SlotSet {
        @inline(__always)
        get { has(Flag.isWide) ? extended?.changed ?? SlotSet() : SlotSet(bits: UInt64(narrowChanged)) }
        @inline(__always)
        set {
            if !has(Flag.isWide), let bits = Self.narrow(newValue) {
                narrowChanged = bits
            } else {
                widened().changed = newValue
            }
        }
    }

    /// Slots changed since the last `processPendingChanges`.
    var changedInEvent: SlotSet {
        @inline(__always)
        get { has(Flag.isWide) ? extended?.changedInEvent ?? SlotSet() : SlotSet(bits: UInt64(narrowChangedInEvent)) }
        @inline(__always)
        set {
            if !has(Flag.isWide), let bits = Self.narrow(newValue) {
                narrowChangedInEvent = bits
            } else {
                widened().changedInEvent = newValue
            }
        }
    }

    /// Adds a slot to those changed since the last save; returns whether it was new.
    @inline(__always)
    @discardableResult
    func noteChanged(_ slot: Int) -> Bool {
        guard slot < UInt32.bitWidth, !has(Flag.isWide) else { return changed.insert(slot) }
        let bit: UInt32 = 1 << UInt32(truncatingIfNeeded: slot)
        defer { narrowChanged |= bit }
        return narrowChanged & bit == 0
    }

    /// Adds a slot to those changed in the event; returns whether it was new.
    @inline(__always)
    @discardableResult
    func noteChangedInEvent(_ slot: Int) -> Bool {
        guard slot < UInt32.bitWidth, !has(Flag.isWide) else { return changedInEvent.insert(slot) }
        let bit: UInt32 = 1 << UInt32(truncatingIfNeeded: slot)
        defer { narrowChangedInEvent |= bit }
        return narrowChangedInEvent & bit == 0
    }

    @inline(__always)
    private static func narrow(_ slots: SlotSet) -> UInt32? { slots.bits.flatMap { UInt32(exactly: $0) } }

    @inline(never)
    private func widened() -> EditsExtension {
        let extended = extend()
        guard !has(Flag.isWide) else { return extended }
        extended.changed = changed
        extended.changedInEvent = changedInEvent
        set(Flag.isWide, true)
        return extended
    }

    // MARK: The event

    /// The context's event in which `changedInEvent` was written.
    var event: Int {
        @inline(__always)
        get { Int(eventNumber) }
        @inline(__always)
        set { eventNumber = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The number of the event after another; it wraps to 0 after 32 bits.
    static func event(after event: Int) -> Int { (event + 1) & Int(UInt32.max) }

    /// Nothing was changed in this event.
    func forgetEvent() {
        changedInEvent.removeAll()
        set(Flag.hasFormerValues, false)
        if let extended {
            if !extended.formerValues.isEmpty { extended.formerValues = [] }
            shrink()
        }
    }

    /// The changes are saved: nothing is changed since.
    @inline(__always)
    func commit(version: Int64) {
        self.version = version
        changed.removeAll()
        forgetEvent()
        if committed != nil { committed = nil }
    }

    /// Keeps the value of a slot at the beginning of the event; for a to-many relationship its changes.
    ///
    /// Not called for objects that are new in the event.
    @inline(__always)
    func noteFormerValue(_ value: Value, _ slot: Int) {
        set(Flag.hasFormerValues, true)
        if !value.isAbsent { extend().formerValues.append((slot, value)) }
    }

    /// Whether the values at the beginning of the event are known.
    var hasFormerValues: Bool { has(Flag.hasFormerValues) }

    /// The value of a slot at the beginning of the event; nil if it was not changed or is not known.
    func formerValue(_ slot: Int) -> Value? {
        guard hasFormerValues, changedInEvent.contains(slot) else { return nil }
        return extended?.formerValues.first { $0.slot == slot }?.value ?? .absent
    }

    // MARK: Rare parts

    /// Whether there is an extension, which holds the parts that few objects have.
    @inline(__always)
    var isExtended: Bool { storage & 1 == 1 }

    /// Relationships whose change was announced, with their destinations.
    var announced: [(slot: Int, members: [NSManagedObject])] {
        get { extended?.announced ?? [] }
        set { extend().announced = newValue }
    }

    /// Own values that were current before a change, if they differ from the snapshot's.
    var committed: [Int: Value]? {
        get { extended?.committed }
        set {
            if newValue != nil || extended != nil { extend().committed = newValue }
            if newValue == nil { shrink() }
        }
    }

    override var page: FaultPage? {
        get { extended?.page }
        set {
            if newValue != nil || extended != nil { extend().page = newValue }
            if newValue == nil { shrink() }
        }
    }

    /// The row's version after this object's last save, 0 if the snapshot's counts.
    var version: Int64 {
        get { has(Flag.isLongVersion) ? extended?.version ?? 0 : Int64(flagsAndVersion >> Flag.width) }
        set {
            let isLong = !(0..<Int64(1 << (32 - Flag.width))).contains(newValue)
            if isLong || has(Flag.isLongVersion) { extend().version = isLong ? newValue : 0 }
            set(Flag.isLongVersion, isLong)
            let short = isLong ? 0 : UInt32(truncatingIfNeeded: newValue)
            flagsAndVersion = flagsAndVersion & Flag.all | short << Flag.width
        }
    }

    /// The extension; valid if the lowest bit of the storage is set.
    @inline(__always)
    private var extensionReference: Unmanaged<EditsExtension> {
        .fromOpaque(UnsafeRawPointer(bitPattern: storage & ~1).unsafelyUnwrapped)
    }

    @inline(__always)
    private var extended: EditsExtension? { storage & 1 == 1 ? extensionReference.takeUnretainedValue() : nil }

    @inline(never)
    private func extend() -> EditsExtension {
        if let extended { return extended }
        let newExtension = EditsExtension(table: ownTable)
        storage = UInt(bitPattern: Unmanaged.passRetained(newExtension).toOpaque()) | 1
        return newExtension
    }

    /// Drops an extension that is not needed any more.
    @inline(never)
    private func shrink() {
        guard let extended, !has(Flag.isWide), extended.holdsValuesOnly else { return }
        let reference = extensionReference
        storage = extended.table?.address ?? 0
        extended.table = nil
        reference.release()
    }

    // MARK: Flags

    @inline(__always)
    private func has(_ flag: UInt32) -> Bool { flagsAndVersion & flag != 0 }

    @inline(__always)
    private func set(_ flag: UInt32, _ isSet: Bool) {
        flagsAndVersion = isSet ? flagsAndVersion | flag : flagsAndVersion & ~flag
    }

    /// Whether the values are those of the whole row, so that no snapshot is needed.
    var isWholeRow: Bool {
        get { has(Flag.isWholeRow) }
        set { set(Flag.isWholeRow, newValue) }
    }

    /// Whether the values are those that a fetch of some properties has read for a fault.
    var isPartial: Bool {
        get { has(Flag.isPartial) }
        set { set(Flag.isPartial, newValue) }
    }

    /// Whether a value may have been set that the model cannot take; see `RefusedValues`.
    var hasRefusedValues: Bool {
        get { has(Flag.hasRefusedValues) }
        set { set(Flag.hasRefusedValues, newValue) }
    }

    /// Whether the current save has written the row of this changed object.
    var isRowWritten: Bool {
        get { has(Flag.isRowWritten) }
        set { set(Flag.isRowWritten, newValue) }
    }
}
