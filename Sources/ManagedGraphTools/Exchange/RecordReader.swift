// Converts rows to records: the values of a row batch by property, with related objects by name. Used by fetches and
// exports; it creates no objects and keeps no state.
import Foundation
import GraphEngine
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Converts rows to records.
struct RecordReader {
    /// The form of an object's name.
    enum NameForm {
        /// `Item/p12`.
        case short
        /// `x-coredata://…/Item/p12`.
        case uri
    }

    let reading: StoreReading
    let form: NameForm
    private let prefix: String
    /// Called with a description of each value whose external file is missing.
    var missing: (String) -> Void = { _ in }

    init(_ reading: StoreReading, form: NameForm) {
        self.reading = reading
        self.form = form
        // Only in database stores do keys alone identify objects.
        let identifier = reading.store.identifier ?? ""
        prefix = form == .short ? "" : reading.isDatabase ? "x-coredata://\(identifier)/" : ""
    }

    /// The name of an object.
    func name(_ layout: ObjectLayout, _ primaryKey: Int64) -> String {
        if form == .uri, prefix.isEmpty {
            let key = ObjectKey(entity: Int32(layout.index), store: reading.store.index, primaryKey: primaryKey)
            return NSManagedObjectID(layout: layout, key: key, store: reading.store).uriRepresentation().absoluteString
        }
        return "\(prefix)\(layout.name)/p\(primaryKey)"
    }

    /// The members of to-many relationships of some rows of one entity, by slot and key.
    typealias Members = [Int: [Int64: [String]]]

    /// Reads the members of relationships for a portion of rows, or for some of them.
    func members(
        of batch: RowBatch,
        rows: some Sequence<Int>,
        layouts: [ObjectLayout],
        _ isWanted: (ObjectLayout, Slot) -> Bool
    ) throws -> [Int: Members] {
        var result: [Int: Members] = [:]
        var keys: [Int: [Int64]] = [:]
        for row in rows {
            keys[layouts[row].index, default: []].append(batch.integer(TreeLayout.primaryKeyColumn, row))
        }
        for (index, owners) in keys {
            let layout = reading.model.layouts[index]
            for slot in layout.toManySlots where isWanted(layout, layout.slots[slot]) {
                result[index, default: [:]][slot] = try members(layout, slot, owners)
            }
        }
        return result
    }

    private func members(_ layout: ObjectLayout, _ slot: Int, _ owners: [Int64]) throws -> [Int64: [String]] {
        guard let destination = layout.slots[slot].destination.map({ reading.model.layouts[$0] }) else { return [:] }
        var result: [Int64: [String]] = [:]
        let members = try reading.read { try $0.memberKeys(layout: layout.stored, slot: slot, owners: owners) }
        for row in 0..<members.count {
            let member = reading.rows.entityIndex(number: members.integer(2, row)).map { reading.model.layouts[$0] }
            result[members.integer(0, row), default: []].append(name(member ?? destination, members.integer(1, row)))
        }
        return result
    }

    /// The number of members of all relationships.
    static func count(_ members: [Int: Members]) -> Int {
        members.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } } }
    }

    /// The value of a property that has a column.
    func value(_ layout: ObjectLayout, _ slot: Int, _ batch: RowBatch, _ row: Int) throws -> FieldValue {
        let column = Int(layout.columns[slot])
        guard column >= 0, !batch.isNull(column, row) else { return .null }
        let description = layout.slots[slot]
        if description.kind == .toOne {
            let key = batch.integer(column, row)
            guard key > 0, let index = description.destination else { return .null }
            let number =
                description.storesDestinationEntity
                ? reading.rows.entityIndex(number: batch.integer(column + 1, row)) : nil
            return .reference(name(reading.model.layouts[number ?? index], key))
        }
        switch description.type {
        case .integer16, .integer32, .integer64: return .integer(batch.integer(column, row))
        case .boolean: return .boolean(batch.integer(column, row) != 0)
        case .double: return .real(batch.real(column, row))
        case .float: return .float(Float(batch.real(column, row)))
        case .date: return .date(batch.real(column, row))
        case .string, .uri, .objectID: return .text(batch.string(column, row))
        case .decimal:
            let literal = batch.string(column, row)
            return .decimal(Decimal(string: literal, locale: Self.plain)?.description ?? literal)
        case .uuid:
            let data = batch.data(column, row)
            guard data.count == 16 else { return .data(data) }
            return .text(UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }).uuidString)
        case .binary, .transformable:
            let stored = batch.data(column, row)
            guard description.allowsExternalStorage else { return .data(stored) }
            guard let file = LargeValue.name(in: stored) else { return .data(LargeValue.inlineData(in: stored)) }
            guard let contents = try reading.rows.externalData(named: file) else {
                missing("\(layout.name).\(description.name), row \(batch.integer(0, row)): the file \(file)")
                return .null
            }
            return .data(contents)
        case .undefined, .composite: return .null
        }
    }

    private static let plain = Locale(identifier: "en_US_POSIX")

    /// The value of a column in a dictionary result.
    func value(_ cell: RowValue, _ content: ResultColumn.Content) -> FieldValue {
        switch cell {
        case .null: .null
        case .integer(let integer): content == .value(.boolean) ? .boolean(integer != 0) : .integer(integer)
        case .real(let real):
            switch content {
            case .value(.date): .date(real)
            case .value(.float): .float(Float(real))
            default: .real(real)
            }
        case .string(let text): .text(text)
        case .decimal(let decimal): .decimal(decimal.description)
        case .uuid(let uuid): .text(uuid.uuidString)
        case .url(let url): .text(url.absoluteString)
        case .data(let data): .data(data)
        case .key(let key): .reference(name(reading.model.layouts[Int(key.entity)], key.primaryKey))
        }
    }
}
