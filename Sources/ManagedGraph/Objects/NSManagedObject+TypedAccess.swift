// The concrete readers and writers behind typed accessors. Each reads one cell: an own value, else the snapshot's.
// Called by ManagedValue's conformances only. A property of another type takes the slow way through Any.
import Foundation
import GraphModel
import GraphSQLite

extension NSManagedObject {
    @inline(__always)
    func prepareToRead() {
        if !state.isDisjoint(with: .needsPreparation) { prepareToReadSlowly() }
    }

    @inline(never)
    private func prepareToReadSlowly() {
        if state.contains(.unset) { setDefaults() }
        if state.contains(.fault) { fire() }
    }

    /// Whether the snapshot has a value for the slot, and in which column.
    @inline(__always)
    private func column(_ slot: Int, in batch: RowBatch) -> Int? {
        let column = Int(layout.columns[slot])
        return column < 0 || batch.isNull(column, Int(row)) ? nil : column
    }

    func readInteger(_ property: ManagedProperty) -> Int64? {
        prepareToRead()
        let slot = property.slot(in: layout)
        if let edits {
            switch edits.values[slot] {
            case .integer(let value): return value
            case .null: return nil
            case .absent: break
            default: return publicValue(slot).flatMap { ($0 as? NSNumber)?.int64Value }
            }
        }
        guard let snapshot, let column = column(slot, in: snapshot) else { return nil }
        switch snapshot.kinds[column] {
        case .integer: return snapshot.integer(column, Int(row))
        default: return publicValue(slot).flatMap { ($0 as? NSNumber)?.int64Value }
        }
    }

    func readReal(_ property: ManagedProperty) -> Double? {
        prepareToRead()
        let slot = property.slot(in: layout)
        if let edits {
            switch edits.values[slot] {
            case .real(let value): return value
            case .null: return nil
            case .absent: break
            default: return publicReal(slot)
            }
        }
        guard let snapshot, let column = column(slot, in: snapshot) else { return nil }
        return snapshot.kinds[column] == .real ? snapshot.real(column, Int(row)) : publicReal(slot)
    }

    private func publicReal(_ slot: Int) -> Double? {
        switch publicValue(slot) {
        case let date as Date: date.timeIntervalSinceReferenceDate
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }

    func readString(_ property: ManagedProperty) -> String? {
        prepareToRead()
        let slot = property.slot(in: layout)
        if let edits {
            switch edits.values[slot] {
            case .string(let value): return value
            case .null: return nil
            case .absent: break
            default: return publicValue(slot) as? String
            }
        }
        guard let snapshot, let column = column(slot, in: snapshot) else { return nil }
        return layout.slots[slot].type == .string
            ? snapshot.string(column, Int(row)) : publicValue(slot) as? String
    }

    func readData(_ property: ManagedProperty) -> Data? { readPublic(property) }
    func readUUID(_ property: ManagedProperty) -> UUID? { readPublic(property) }
    func readURL(_ property: ManagedProperty) -> URL? { readPublic(property) }
    func readDecimal(_ property: ManagedProperty) -> Decimal? {
        switch publicValue(property.slot(in: layout)) {
        case let decimal as Decimal: decimal
        case let number as NSNumber: number.decimalValue
        default: nil
        }
    }

    private func readPublic<T>(_ property: ManagedProperty) -> T? {
        publicValue(property.slot(in: layout)) as? T
    }

    func writeInteger(_ value: Int64?, to property: ManagedProperty) {
        let slot = property.slot(in: layout)
        switch layout.slots[slot].type {
        case .integer64, .boolean:
            prepareToChange(slot).values[slot] = value.map(Value.integer) ?? .null
        case .integer16, .integer32:
            prepareToChange(slot).values[slot] = value.map { value in
                layout.slots[slot].checkRange(value)
                return .integer(value)
            } ?? .null
        default:
            setPublicValue(value.map { NSNumber(value: $0) }, slot: slot)
        }
    }

    func writeReal(_ value: Double?, to property: ManagedProperty) {
        let slot = property.slot(in: layout)
        switch layout.slots[slot].type {
        case .double, .date:
            prepareToChange(slot).values[slot] = value.map(Value.real) ?? .null
        default:
            setPublicValue(value.map { NSNumber(value: $0) }, slot: slot)
        }
    }

    func writeString(_ value: String?, to property: ManagedProperty) {
        let slot = property.slot(in: layout)
        guard layout.slots[slot].type == .string else { return setPublicValue(value, slot: slot) }
        prepareToChange(slot).values[slot] = value.map(Value.string) ?? .null
    }

    func writeData(_ value: Data?, to property: ManagedProperty) { writePublic(value, to: property) }
    func writeUUID(_ value: UUID?, to property: ManagedProperty) { writePublic(value, to: property) }
    func writeURL(_ value: URL?, to property: ManagedProperty) { writePublic(value, to: property) }
    func writeDecimal(_ value: Decimal?, to property: ManagedProperty) { writePublic(value, to: property) }

    private func writePublic(_ value: Any?, to property: ManagedProperty) {
        setPublicValue(value, slot: property.slot(in: layout))
    }
}
