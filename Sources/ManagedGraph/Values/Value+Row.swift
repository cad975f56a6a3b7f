// Conversion between a property's value and its stored form. Called when rows are written, and when engines return
// single values.
import Foundation
import GraphEngine
import GraphModel

extension Value {
    /// A value that an engine gives.
    package init(_ value: RowValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .string(let string): self = .string(string)
        case .data(let data): self = .data(data)
        case .uuid(let uuid): self = .uuid(uuid)
        case .url(let url): self = .url(url)
        case .decimal(let decimal): self = .decimal(decimal)
        case .key(let key): self = .reference(key)
        }
    }

    /// The stored form of the value.
    ///
    /// - Throws: 134060 for a transformable's value that its transformer cannot make into data.
    @inline(__always)
    func row(_ slot: Int, of layout: ObjectLayout) throws -> RowValue {
        switch self {
        case .integer(let integer): return .integer(integer)
        case .real(let real): return .real(real)
        case .string(let string): return .string(string)
        case .null, .absent: return .null
        default: return try rareRow(layout.slots[slot], layout)
        }
    }

    @inline(never)
    private func rareRow(_ slot: Slot, _ layout: ObjectLayout) throws -> RowValue {
        switch self {
        case .data(let data): .data(data)
        case .uuid(let uuid): .uuid(uuid)
        case .url(let url): .url(url)
        case .decimal(let decimal): .decimal(decimal)
        case .any(let box):
            slot.isStored ? .data(try Transforming.data(from: box.value, slot: slot, entity: layout.name)) : .null
        case .object(let object): .key(object.key)
        case .reference(let key): .key(key)
        case .absent, .null, .integer, .real, .string, .toMany: .null
        }
    }
}

extension ObjectLayout {
    /// The stored form of an object's values, by slot, replacing the content of `row`.
    func store(_ values: UnsafeBufferPointer<Value>, in row: inout ContiguousArray<RowValue>) throws {
        if row.count != values.count { row = ContiguousArray(repeating: .null, count: values.count) }
        try row.withUnsafeMutableBufferPointer { row in
            for slot in values.indices { row[slot] = try values[slot].row(slot, of: self) }
        }
    }

    /// The stored form of an object's values, by slot.
    package func stored(_ values: ContiguousArray<Value>) throws -> ContiguousArray<RowValue> {
        try values.withUnsafeBufferPointer { try stored($0) }
    }

    /// The stored form of an object's values, by slot.
    func stored(_ values: UnsafeBufferPointer<Value>) throws -> ContiguousArray<RowValue> {
        var row: ContiguousArray<RowValue> = []
        try store(values, in: &row)
        return row
    }

    /// The stored form of some of an object's values; the others are null.
    func stored(_ values: ContiguousArray<Value>, _ selectedSlots: SlotSet) throws -> ContiguousArray<RowValue> {
        try values.withUnsafeBufferPointer { try stored($0, selectedSlots) }
    }

    /// The stored form of some of an object's values; the others are null.
    func stored(_ values: UnsafeBufferPointer<Value>, _ selectedSlots: SlotSet) throws -> ContiguousArray<RowValue> {
        var row = ContiguousArray<RowValue>(repeating: .null, count: values.count)
        try selectedSlots.forEach { slot in row[slot] = try values[slot].row(slot, of: self) }
        return row
    }
}
