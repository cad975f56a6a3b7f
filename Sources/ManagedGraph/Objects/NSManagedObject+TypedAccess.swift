// The concrete readers and writers that typed accessors call. Each reads one cell: an own value, else the snapshot's.
// Called by ManagedValue's conformances only. A property of another type is read and written through Any, which is
// slower.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import GraphSQLite

extension NSManagedObject {
    @inline(__always)
    func prepareToRead(_ slot: Int = -1, isChange: Bool = false) {
        if !state.isDisjoint(with: .needsPreparation) { prepareToReadSlowly(slot, isChange) }
    }

    @inline(never)
    private func prepareToReadSlowly(_ slot: Int, _ isChange: Bool) {
        if state.contains(.watched) { checkAccess(slot, isChange: isChange) }
        if state.contains(.unregistered) { home.withRegistry { $0.registerAgain(self) } }
        if state.contains(.unset) { setDefaults() }
        if state.contains(.fault), isChange || !hasPartialValue(slot) { fire(slot) }
        if state.contains(.tracked), !isChange { ObservedObjects.noteAccess(self, slot) }
    }

    /// Reads the slot's cell in the row batch; nil for NULL and if there is no row.
    @inline(__always)
    private func cell<T>(_ slot: Int, _ read: (RowBatch, Int, Int) -> T) -> T? {
        guard let rows else { return nil }
        let column = Int(table.pointee.columns[slot])
        guard column >= 0 else { return initialValue(slot) }
        let row = Int(row)
        return rows._withUnsafeGuaranteedRef { $0.isNull(column, row) ? nil : read($0, column, row) }
    }

    /// The default value of a property that no row has.
    @inline(never)
    private func initialValue<T>(_ slot: Int) -> T? {
        switch layout.defaults[slot] {
        case .integer(let value): value as? T
        case .real(let value): value as? T
        case .string(let value): value as? T
        default: nil
        }
    }

    @usableFromInline
    func readInteger(_ property: ManagedProperty) -> Int64? {
        let slot = property.slot(in: self)
        prepareToRead(slot)
        if let edits {
            switch edits.values[slot] {
            case .integer(let value): return value
            case .null: return nil
            case .absent: break
            default: return publicInteger(slot)
            }
        }
        switch table.pointee.types[slot] {
        case .integer16, .integer32, .integer64, .boolean: return cell(slot) { $0.integer($1, $2) }
        default: return publicInteger(slot)
        }
    }

    @usableFromInline
    func readReal(_ property: ManagedProperty) -> Double? {
        let slot = property.slot(in: self)
        prepareToRead(slot)
        if let edits {
            switch edits.values[slot] {
            case .real(let value): return value
            case .null: return nil
            case .absent: break
            default: return publicReal(slot)
            }
        }
        switch table.pointee.types[slot] {
        case .double, .float, .date: return cell(slot) { $0.real($1, $2) }
        default: return publicReal(slot)
        }
    }

    private func publicInteger(_ slot: Int) -> Int64? {
        (publicValue(slot) as? NSNumber)?.int64Value
    }

    private func publicReal(_ slot: Int) -> Double? {
        switch publicValue(slot) {
        case let date as Date: date.timeIntervalSinceReferenceDate
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }

    func readString(_ property: ManagedProperty) -> String? {
        let slot = property.slot(in: self)
        prepareToRead(slot)
        if let edits {
            switch edits.values[slot] {
            case .string(let value): return value
            case .null: return nil
            case .absent: break
            default: return publicValue(slot) as? String
            }
        }
        guard table.pointee.types[slot] == .string else { return publicValue(slot) as? String }
        return cell(slot) { $0.string($1, $2) }
    }

    func readData(_ property: ManagedProperty) -> Data? { readPublic(property) }
    func readUUID(_ property: ManagedProperty) -> UUID? { readPublic(property) }
    func readURL(_ property: ManagedProperty) -> URL? { readPublic(property) }
    func readDecimal(_ property: ManagedProperty) -> Decimal? {
        switch publicValue(property.slot(in: self)) {
        case let decimal as Decimal: decimal
        case let number as NSNumber: number.finiteDecimal
        default: nil
        }
    }

    private func readPublic<T>(_ property: ManagedProperty) -> T? {
        publicValue(property.slot(in: self)) as? T
    }

    @usableFromInline
    func writeInteger(_ value: Int64?, to property: ManagedProperty) {
        let slot = property.slot(in: self)
        switch table.pointee.types[slot] {
        case .integer64, .boolean:
            set(value.map(Value.integer) ?? .null, slot)
        case .integer16, .integer32:
            // A value that fits the narrower type fits both; the general way handles values out of range.
            if let value, Int16(exactly: value) == nil { return setPublicValue(NSNumber(value: value), slot: slot) }
            set(value.map(Value.integer) ?? .null, slot)
        default:
            setPublicValue(value.map { NSNumber(value: $0) }, slot: slot)
        }
    }

    @usableFromInline
    func writeReal(_ value: Double?, to property: ManagedProperty) {
        let slot = property.slot(in: self)
        switch table.pointee.types[slot] {
        case .double, .date:
            set(value.map(Value.real) ?? .null, slot)
        default:
            setPublicValue(value.map { NSNumber(value: $0) }, slot: slot)
        }
    }

    func writeString(_ value: String?, to property: ManagedProperty) {
        let slot = property.slot(in: self)
        guard table.pointee.types[slot] == .string else { return setPublicValue(value, slot: slot) }
        set(value.map(Value.string) ?? .null, slot)
    }

    /// Sets a value of the slot's type.
    @inline(__always)
    private func set(_ value: Value, _ slot: Int) {
        // An object that is new in its event, and not observed, needs only a mark.
        guard state == [.inserted, .pendingInsert], let edits = content.uncountedEdits else {
            prepareToChange(slot).values[slot] = value
            return
        }
        edits._withUnsafeGuaranteedRef { $0.setInInsertion(value, slot) }
    }

    func writeData(_ value: Data?, to property: ManagedProperty) { writePublic(value, to: property) }
    func writeUUID(_ value: UUID?, to property: ManagedProperty) { writePublic(value, to: property) }
    func writeURL(_ value: URL?, to property: ManagedProperty) { writePublic(value, to: property) }
    func writeDecimal(_ value: Decimal?, to property: ManagedProperty) { writePublic(value, to: property) }

    private func writePublic(_ value: Any?, to property: ManagedProperty) {
        setPublicValue(value, slot: property.slot(in: self))
    }
}
