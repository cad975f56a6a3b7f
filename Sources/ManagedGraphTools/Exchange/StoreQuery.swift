// A fetch entered by a user: texts in, records out, any number of rows in the memory of a portion. Created by
// `managedgraph store fetch`; the translation to SQL and the check of names are those of every fetch.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL
import GraphSQLite
import ManagedGraph

/// A fetch from a store.
package struct StoreQuery {
    /// The parameters of the fetch, as texts.
    package struct Request: Sendable {
        package var entity: String
        /// A predicate's format.
        package var predicate: String?
        /// Key paths; a leading hyphen means descending.
        package var sort: [String] = []
        /// 0 means no limit.
        package var limit = 0
        package var offset = 0
        /// Key paths; empty means all properties.
        package var columns: [String] = []
        package var isDistinct = false

        package init(entity: String) { self.entity = entity }
    }

    /// A column of the result.
    package struct Column: Sendable {
        package let name: String
        package let isNumber: Bool
    }

    package let columns: [Column]
    private let reading: StoreReading
    private let layout: ObjectLayout
    private let fetch: StoreFetch
    private let properties: DictionaryPlan?
    /// The original request, for fetches that SQL cannot answer.
    private let request: Request
    /// The names of the slots of all entities that may occur.
    private let names: [String]
    private static let portion = 500

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - reading: The store.
    /// - Throws: `PredicateFormatError` if the predicate is invalid; an error that suggests the nearest name if the
    ///   model does not have a name.
    package init(_ request: Request, in reading: StoreReading) throws {
        self.reading = reading
        self.request = request
        let layout = try reading.layout(request.entity)
        self.layout = layout
        var fetch = StoreFetch(layout: layout.stored)
        fetch.predicate = try request.predicate.map { try PredicateParser.parse(format: $0, arguments: []) }
        fetch.sort = request.sort.map { key in
            let isDescending = key.hasPrefix("-")
            let path = isDescending || key.hasPrefix("+") ? key.dropFirst() : key[...]
            return SortTerm(path.split(separator: ".").map(String.init), ascending: !isDescending)
        }
        (fetch.limit, fetch.offset) = (max(0, request.limit), max(0, request.offset))
        self.fetch = fetch
        if request.columns.isEmpty {
            properties = nil
            var names: [String] = []
            var columns: [Column] = []
            for index in layout.family {
                for slot in reading.model.layouts[index].slots where Self.isShown(slot) && !names.contains(slot.name) {
                    names.append(slot.name)
                    columns.append(Column(name: slot.name, isNumber: slot.type.isNumber && slot.kind == .attribute))
                }
            }
            (self.names, self.columns) = (names, columns)
        } else if !request.isDistinct, let names = Self.plainNames(request.columns, layout) {
            properties = nil
            self.names = names
            columns = names.map { name in
                let slot = layout.slot(named: name).map { layout.slots[$0] }
                return Column(name: name, isNumber: slot.map { $0.kind == .attribute && $0.type.isNumber } ?? false)
            }
        } else {
            let columnsRequest = NSFetchRequest<NSDictionary>(entityName: request.entity)
            columnsRequest.propertiesToFetch = request.columns
            columnsRequest.returnsDistinctResults = request.isDistinct
            let plan = try DictionaryPlan(columnsRequest, layout: layout)
            properties = plan
            names = plan.places.map { $0.joined(separator: ".") }
            columns = zip(names, plan.slots).map { name, slot in
                Column(name: name, isNumber: slot.map { $0.kind == .attribute && $0.type.isNumber } ?? false)
            }
        }
        // Report unknown names before any output is written.
        if !needsMemory { try checkTranslation() }
    }

    /// The names of columns if all are the entity's own, with composite attributes replaced by their elements;
    /// otherwise nil.
    private static func plainNames(_ columns: [String], _ layout: ObjectLayout) -> [String]? {
        var names: [String] = []
        for column in columns {
            guard let number = layout.slot(named: column) else { return nil }
            let slot = layout.slots[number]
            if slot.type == .composite,
                let elements = plainNames(slot.elements.map { layout.slots[$0.slot].name }, layout)
            {
                names += elements
            } else if isShown(slot) {
                names.append(column)
            } else {
                return nil
            }
        }
        return names
    }

    private static func isShown(_ slot: Slot) -> Bool {
        slot.kind == .toMany ? !slot.isTransient : slot.isStored
    }

    /// Whether the fetch requires objects, as with a computed property.
    private var needsMemory: Bool {
        do {
            try checkTranslation()
            return false
        } catch {
            return (error as NSError).requiresInMemoryEvaluation
        }
    }

    private func checkTranslation() throws {
        try CoreDataError.mapping(reading.url) {
            try reading.rows.checkTranslation(of: fetch, columns: properties?.fetch, isCount: false)
        }
    }

    /// The number of results.
    ///
    /// - Returns: Their number.
    /// - Throws: If the file cannot be read.
    package func count() throws -> Int {
        if needsMemory { return try identifiers().count }
        if request.isDistinct {
            var count = 0
            try reading.read {
                try $0.eachRow(fetch, properties?.fetch ?? ColumnFetch(columns: [])) { _, _ in count += 1 }
            }
            return count
        }
        return try reading.read { try $0.count(fetch) }
    }

    /// Explains how the store finds the results.
    ///
    /// - Parameter isCount: Whether only their number is wanted.
    /// - Returns: The statement, and the steps of its execution.
    /// - Throws: If the file cannot be read.
    package func explanation(isCount: Bool) throws -> FetchExplanation {
        guard !needsMemory else {
            let steps =
                "tables cannot answer this: the rows of \(request.entity) that they can judge are read, "
                + "and objects judge the rest"
            return FetchExplanation(steps: [steps])
        }
        return try reading.read { try $0.explain(fetch, columns: properties?.fetch, isCount: isCount) }
    }

    /// Calls `body` with each result.
    ///
    /// - Parameters:
    ///   - usesURIs: Whether objects are named by their URIs, instead of entity and key.
    ///   - body: Receives a result; the values are in the order of `columns`.
    /// - Throws: If the file cannot be read, and errors of `body`.
    package func each(usesURIs: Bool, _ body: (Record) throws -> Void) throws {
        let reader = RecordReader(reading, form: usesURIs ? .uri : .short)
        if let properties { return try eachDictionary(properties, reader, body) }
        if needsMemory {
            let tree = fetch.layout.tree
            var rest = try identifiers()[...]
            while !rest.isEmpty {
                let keys = rest.prefix(Self.portion).map(\.key.primaryKey)
                rest = rest.dropFirst(Self.portion)
                let batch = try reading.read { try $0.rows(tree: tree, keys: keys) }
                let places = Dictionary((0..<batch.count).map { (batch.integer(0, $0), $0) }) { first, _ in first }
                try give(batch, keys.compactMap { places[$0] }, reader, body)
            }
            return
        }
        try reading.read {
            try $0.eachBatch(fetch, size: Self.portion) { batch in
                try give(batch, Array(0..<batch.count), reader, body)
                return true
            }
        }
    }

    private func give(
        _ batch: RowBatch,
        _ rows: [Int],
        _ reader: RecordReader,
        _ body: (Record) throws -> Void
    ) throws {
        let layouts = (0..<batch.count).map { reading.layout(of: batch, $0, in: layout) }
        let members = try reader.members(of: batch, rows: layouts.indices, layouts: layouts) { _, slot in
            Self.isShown(slot) && names.contains(slot.name)
        }
        for row in rows {
            let layout = layouts[row]
            let key = batch.integer(TreeLayout.primaryKeyColumn, row)
            let values = try names.map { name -> FieldValue in
                guard let slot = layout.slot(named: name) else { return .null }
                if layout.slots[slot].kind == .toMany {
                    return .references(members[layout.index]?[slot]?[key] ?? [])
                }
                return try reader.value(layout, slot, batch, row)
            }
            let id = request.columns.isEmpty ? reader.name(layout, key) : ""
            try body(Record(entity: layout.name, id: id, values: values))
        }
    }

    private func eachDictionary(
        _ properties: DictionaryPlan,
        _ reader: RecordReader,
        _ body: (Record) throws -> Void
    ) throws {
        let entity = fetch.layout.name
        guard !needsMemory else {
            throw CoreDataError.make(
                NSCoreDataError,
                "Tables cannot answer this fetch, and columns are read from tables.",
                remedy: "Leave out --columns, or the properties that only objects have."
            )
        }
        try reading.read {
            try $0.eachRow(fetch, properties.fetch) { cells, contents in
                let values = properties.slots.indices.map { place in
                    reader.value(cells[place], contents[place].content)
                }
                try body(Record(entity: entity, id: "", values: values))
            }
        }
    }

    /// The identifiers of the results, evaluated with objects.
    private func identifiers() throws -> [NSManagedObjectID] {
        let idRequest = NSFetchRequest<NSManagedObjectID>(entityName: request.entity)
        idRequest.resultType = .managedObjectIDResultType
        idRequest.predicate = fetch.predicate.map(NSPredicate.make)
        idRequest.sortDescriptors = fetch.sort.map {
            NSSortDescriptor(key: $0.keyPath.joined(separator: "."), ascending: $0.ascending)
        }
        (idRequest.fetchLimit, idRequest.fetchOffset) = (fetch.limit, fetch.offset)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = reading.coordinator
        return try context.performAndWait { () throws in try context.fetch(idRequest) }
    }
}

extension AttributeType {
    /// Whether values are numbers, which are right-aligned in a column.
    var isNumber: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .decimal: true
        default: false
        }
    }
}
