// Reads the persistent history of a store, transaction by transaction. Called by `managedgraph store history`; it
// yields plain values, as no program's classes are available.
import Foundation
import GraphArchives
import GraphEngine
import GraphModel
import ManagedGraph

/// The history of a store.
package struct HistoryReading {
    /// The position at which to start.
    package enum Start: Sendable {
        case beginning
        /// After a transaction.
        case transaction(Int64)
        /// After a date.
        case date(Date)

        /// Parses a start entered by a user: a transaction's number, a date in ISO 8601, or an archived token in
        /// base64.
        ///
        /// - Parameters:
        ///   - text: The text.
        ///   - reading: The store, which the token must belong to.
        /// - Throws: An error that lists the accepted forms.
        package init(_ text: String, for reading: StoreReading) throws {
            if let number = Int64(text) {
                self = .transaction(number)
            } else if let seconds = DateText.seconds(text) {
                self = .date(Date(timeIntervalSinceReferenceDate: seconds))
            } else if let data = Data(base64Encoded: text), KeyedArchive(data)?.isSound == true,
                let token = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: data)
            {
                guard let number = token.numbers[reading.store.identifier ?? ""] else {
                    throw CoreDataError.make(
                        NSPersistentHistoryTokenExpiredError,
                        "The token is of another store.",
                        remedy: "Give a token of this store, the number of a transaction, or a date."
                    )
                }
                self = .transaction(number)
            } else {
                throw CoreDataError.make(
                    NSPersistentHistoryTokenExpiredError,
                    "\(text) is not a point in a history.",
                    remedy: "Give the number of a transaction, a date in ISO 8601, or an archived token in base64."
                )
            }
        }
    }

    /// A save.
    package struct Transaction {
        package var number: Int64
        /// Since 2001-01-01 UTC.
        package var seconds: Double
        package var author: String?
        package var context: String?
        package var bundle: String
        package var process: String
        package var changes: [Change]
    }

    /// The effect of a transaction on one object.
    package struct Change {
        package var number: Int64
        /// `insert`, `update` or `delete`.
        package var type: String
        package var entity: String
        /// The object's URI.
        package var object: String
        /// The properties that an update set.
        package var properties: [String]
        /// The values that the history preserves of a deleted object.
        package var tombstone: [(name: String, value: FieldValue)]
    }

    private let reading: StoreReading
    private static let portion = 200

    /// - Parameter reading: The store.
    /// - Throws: If the store has no history.
    package init(_ reading: StoreReading) throws {
        guard reading.isDatabase, try reading.read({ try $0.lastTransaction() }) != nil else {
            throw CoreDataError.make(
                NSPersistentHistoryTokenExpiredError,
                "The store has no history.",
                remedy: "Open it with NSPersistentHistoryTrackingKey to have one kept."
            )
        }
        self.reading = reading
    }

    /// Calls `body` with each transaction, oldest first, keeping only some of them in memory.
    ///
    /// - Parameters:
    ///   - start: The position at which to start.
    ///   - entity: The entity whose changes are wanted, with its subentities; transactions without such changes are
    ///     skipped.
    ///   - body: Receives a transaction.
    /// - Throws: If the model has no entity of this name, if the file cannot be read, and errors of `body`.
    package func each(from start: Start, entity: String?, _ body: (Transaction) throws -> Void) throws {
        let family = try entity.map { Set(try reading.layout($0).family) }
        var number: Int64 = 0
        var date: Date?
        switch start {
        case .beginning: break
        case .transaction(let first): number = first
        case .date(let moment): date = moment
        }
        while true {
            let transactions = try reading.read {
                try $0.transactions(after: number, date: date, withChanges: true, limit: Self.portion)
            }
            for transaction in transactions {
                let changes = transaction.changes.filter { family?.contains(Int($0.key.entity)) ?? true }
                guard family == nil || !changes.isEmpty else { continue }
                try body(self.transaction(transaction, changes))
            }
            guard transactions.count == Self.portion, let last = transactions.last?.number else { return }
            number = last
        }
    }

    private func transaction(_ transaction: HistoryTransaction, _ changes: [HistoryChange]) -> Transaction {
        Transaction(
            number: transaction.number,
            seconds: transaction.date.timeIntervalSinceReferenceDate,
            author: transaction.author,
            context: transaction.contextName,
            bundle: transaction.bundleID,
            process: transaction.processID,
            changes: changes.map(change)
        )
    }

    private func change(_ change: HistoryChange) -> Change {
        let layout = reading.model.layouts[Int(change.key.entity)]
        let types: [NSPersistentHistoryChangeType: String] = [.insert: "insert", .update: "update", .delete: "delete"]
        let type = NSPersistentHistoryChangeType(rawValue: Int(change.type)) ?? .update
        let order = layout.stored.historyOrder
        return Change(
            number: change.number,
            type: types[type] ?? "update",
            entity: layout.name,
            object: RecordReader(reading, form: .uri).name(layout, change.key.primaryKey),
            properties: type == .update
                ? change.properties.filter(order.indices.contains).map { layout.slots[order[$0]].name } : [],
            tombstone: change.tombstone.map { ($0, Self.field($1, layout, $0)) }.sorted { $0.0 < $1.0 }
        )
    }

    /// A preserved value as key-value coding returns it.
    private static func field(_ value: RowValue, _ layout: ObjectLayout, _ name: String) -> FieldValue {
        let type = layout.slot(named: name).map { layout.slots[$0].type } ?? .undefined
        return Value(value).publicAttribute(type).map(FieldValue.init) ?? .null
    }
}

extension FieldValue {
    /// Converts a value as returned by key-value coding.
    init(_ any: Any) {
        switch any {
        case let text as String: self = .text(text)
        case let date as Date: self = .date(date.timeIntervalSinceReferenceDate)
        case let decimal as NSDecimalNumber: self = .decimal(decimal.stringValue)
        case let number as NSNumber:
            let isReal = [UInt8(ascii: "d"), UInt8(ascii: "f")].contains(UInt8(bitPattern: number.objCType.pointee))
            self = isReal ? .real(number.doubleValue) : .integer(number.int64Value)
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .text(uuid.uuidString)
        case let url as URL: self = .text(url.absoluteString)
        default: self = .null
        }
    }
}
