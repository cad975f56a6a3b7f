// The values that prepared predicates read from managed objects: cells of rows in their own type, without a box for
// each. A class that answers a key itself is still read with value(forKey:). Called by the evaluator of GraphPredicates
// only.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates

extension NSManagedObject: SlotReadable {
    package static func slot(of object: Unmanaged<AnyObject>, forKey key: String) -> ReadableSlot? {
        reading(object) { object in
            let layout = object.layout
            guard layout.computed[key] == nil, let slot = layout.slot(named: key),
                !ClassOverrides.replacesValueForKey(Swift.type(of: object))
            else { return nil }
            let description = layout.slots[slot]
            switch (description.kind, description.type) {
            case (.attribute, .integer16), (.attribute, .integer32), (.attribute, .integer64), (.attribute, .boolean):
                return ReadableSlot(index: slot, kind: .integer)
            case (.attribute, .double), (.attribute, .float): return ReadableSlot(index: slot, kind: .real)
            case (.attribute, .date): return ReadableSlot(index: slot, kind: .date)
            case (.attribute, .string): return ReadableSlot(index: slot, kind: .text)
            case (.attribute, _), (.toOne, _), (.toMany, _), (.fetched, _):
                return ReadableSlot(index: slot, kind: .other)
            }
        }
    }

    package static func slotsNumber(of object: Unmanaged<AnyObject>) -> UInt32 {
        reading(object) { $0.table.pointee.number }
    }

    package static func integer(of object: Unmanaged<AnyObject>, in slot: Int) -> SlotValue<Int64> {
        reading(object) { $0.integer(in: slot) }
    }

    package static func real(of object: Unmanaged<AnyObject>, in slot: Int) -> SlotValue<Double> {
        reading(object) { $0.real(in: slot) }
    }

    package static func text(
        of object: Unmanaged<AnyObject>,
        in slot: Int,
        matches matcher: TextMatcher
    ) -> SlotValue<Bool> {
        reading(object) { $0.text(in: slot, matches: matcher) }
    }

    package static func value(of object: Unmanaged<AnyObject>, in slot: Int) -> EvaluatedValue {
        reading(object) { $0.evaluatedValue(in: slot) }
    }

    @inline(__always)
    private static func reading<R>(_ object: Unmanaged<AnyObject>, _ body: (NSManagedObject) -> R) -> R {
        // The evaluator hands over objects whose class conforms by this extension.
        Unmanaged<NSManagedObject>.fromOpaque(object.toOpaque())._withUnsafeGuaranteedRef(body)
    }

    // MARK: - Cells

    @inline(__always)
    private final func integer(in slot: Int) -> SlotValue<Int64> {
        let cell = cell(slot) { value -> SlotValue<Int64> in
            if case .integer(let number) = value { .value(number) } else { .other }
        } stored: { rows, column, row in
            rows.integer(column, row)
        }
        guard case .boolean = table.pointee.types[slot], case .value(let value) = cell else { return cell }
        return .value(value == 0 ? 0 : 1)
    }

    @inline(__always)
    private final func real(in slot: Int) -> SlotValue<Double> {
        let cell = cell(slot) { value -> SlotValue<Double> in
            if case .real(let number) = value { .value(number) } else { .other }
        } stored: { rows, column, row in
            rows.real(column, row)
        }
        guard case .float = table.pointee.types[slot], case .value(let value) = cell else { return cell }
        return .value(Double(Float(value)))
    }

    /// The value of a slot: the object's own if it has one, otherwise that of its row.
    @inline(__always)
    private final func cell<Number>(
        _ slot: Int,
        edited: (Value) -> SlotValue<Number>,
        stored: (RowBatch, Int, Int) -> Number
    ) -> SlotValue<Number> {
        prepareToRead(slot)
        if let value = edits?.values[slot], !value.isAbsent {
            if case .null = value { return .null }
            return edited(value)
        }
        guard let rows else { return .null }
        let column = Int(table.pointee.columns[slot])
        guard column >= 0 else { return .other }
        let row = Int(row)
        return rows._withUnsafeGuaranteedRef { $0.isNull(column, row) ? .null : .value(stored($0, column, row)) }
    }

    @inline(__always)
    private final func text(in slot: Int, matches matcher: TextMatcher) -> SlotValue<Bool> {
        prepareToRead(slot)
        if let editedValue = edits?.values[slot], !editedValue.isAbsent {
            switch editedValue {
            // The general evaluation throws if a regular expression takes too long.
            case .string(let string): return matcher.answer(string).map(SlotValue.value) ?? .other
            case .null: return .null
            default: return .other
            }
        }
        guard let rows else { return .null }
        let column = Int(table.pointee.columns[slot])
        guard column >= 0 else { return .other }
        let row = Int(row)
        return rows._withUnsafeGuaranteedRef { rows in
            guard !rows.isNull(column, row) else { return .null }
            return rows.withUTF8Bytes(column, row) { matcher.answer($0) }.map(SlotValue.value) ?? .other
        }
    }

    /// The value of a slot in the form of the evaluator.
    private final func evaluatedValue(in slot: Int) -> EvaluatedValue {
        let description = layout.slots[slot]
        switch description.kind {
        case .toOne: return toOneObject(slot).map { .readable($0) } ?? .null
        case .toMany: return .collection(MemberCollection(of: self, slot: slot))
        case .fetched: return EvaluatedValue(publicValue(slot))
        case .attribute: break
        }
        guard description.type != .composite else { return EvaluatedValue(publicValue(slot)) }
        let value = currentValue(slot)
        switch (value, description.type) {
        case (.null, _), (.absent, _): return .null
        case (.string(let text), _): return .text(text)
        case (.uuid(let uuid), _): return .uuid(uuid)
        case (.url(let url), _): return .url(url)
        case (.data(let data), _): return .data(data)
        case (.decimal(let decimal), _): return .decimal(decimal)
        case (.integer(let number), .boolean): return .integer(number == 0 ? 0 : 1)
        case (.integer(let number), _): return .integer(number)
        case (.real(let number), .date): return .date(Date(timeIntervalSinceReferenceDate: number))
        case (.real(let number), .float): return .real(Double(Float(number)))
        case (.real(let number), _): return .real(number)
        case (.any, let type): return EvaluatedValue(value.publicAttribute(type))
        case (.object, _), (.reference, _), (.toMany, _): return .null
        }
    }
}
