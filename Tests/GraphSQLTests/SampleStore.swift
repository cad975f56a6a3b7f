// A model's rows twice: as objects and in an in-memory SQLite database, with the translator in between.
import Foundation
import GraphModel
import GraphPredicates
import GraphSQL
import GraphSQLite

final class SampleStore {
    let connection: Connection
    let translator: FetchTranslator
    private(set) var objects: [String: [SampleObject]] = [:]
    let owns: (String) -> Bool
    let schema: StoreSchema

    /// Many-to-many relationships are set on the side for which `owns` returns true.
    init(_ schema: StoreSchema = SampleModel.schema, owns: @escaping (String) -> Bool = { $0 == "tags" }) throws {
        self.schema = schema
        self.owns = owns
        connection = try Connection(path: ":memory:")
        for function in SQLFunctions.all {
            try connection.registerFunction(
                function.name,
                argumentCount: Int32(function.argumentCount),
                deterministic: function.isDeterministic,
                function.body
            )
        }
        try connection.registerSum()
        for collation in SQLCollations.all {
            try connection.registerCollation(collation.name, collation.compare)
        }
        for statement in schema.createStatements { try connection.execute(statement) }
        let isSample = schema.entityOrder == SampleModel.schema.entityOrder
        let checker = isSample ? FetchChecker(model: SampleModel.model) : nil
        translator = FetchTranslator(schema: schema, checker: checker) { entity, property in
            entity == "Task" && property == "isOverdue"
        }
    }

    // MARK: - Rows

    @discardableResult
    func add(_ entity: String, _ values: [String: Any] = [:]) -> SampleObject {
        let object = SampleObject(entity, Int64((objects[root(entity)]?.count ?? 0) + 1), values)
        objects[root(entity), default: []].append(object)
        return object
    }

    /// Sets both sides of relationships, then writes all rows.
    func write() throws {
        let all = objects.values.flatMap { $0 }
        for object in all {
            guard let entity = schema.entities[object.entity] else { continue }
            for (name, property) in entity.properties {
                switch property {
                case .toOne(let toOne):
                    guard let target = object.values[name] as? SampleObject, let inverse = toOne.inverse else {
                        continue
                    }
                    if case .toOne? = schema.entities[target.entity]?.properties[inverse] { continue }
                    target.values[inverse, default: [SampleObject]()] = target.objects(inverse) + [object]
                case .manyToMany(let many) where owns(name):
                    for target in object.objects(name) {
                        target.values[many.inverse ?? ""] = target.objects(many.inverse ?? "") + [object]
                    }
                case .attribute, .toManyInverse, .manyToMany: break
                }
            }
        }
        for object in all {
            guard let entity = schema.entities[object.entity] else { continue }
            for (name, property) in entity.properties {
                switch property {
                case .toManyInverse, .manyToMany: object.values[name] = object.objects(name)
                case .attribute, .toOne: break
                }
            }
            try insert(object, entity)
        }
    }

    private func insert(_ object: SampleObject, _ entity: EntitySchema) throws {
        var columns: [(String, SQLValue)] = [
            ("Z_PK", .integer(object.key)), ("Z_ENT", .integer(entity.number)), ("Z_OPT", .integer(1)),
        ]
        for (name, property) in entity.properties {
            switch property {
            case .attribute(let attribute): columns.append((attribute.column, stored(read(name, object))))
            case .toOne(let toOne):
                guard let target = object.values[name] as? SampleObject else { continue }
                columns.append((toOne.column, .integer(target.key)))
                if let column = toOne.entityColumn {
                    columns.append((column, .integer(schema.entities[target.entity]?.number ?? 0)))
                }
                if let column = toOne.orderColumn, let inverse = toOne.inverse,
                    let place = target.objects(inverse).firstIndex(where: { $0 === object })
                {
                    columns.append((column, .integer(Int64(place + 1) * 1024)))
                }
            case .manyToMany(let many) where owns(name):
                for target in object.objects(name) {
                    try connection.run(
                        "INSERT INTO \(many.joinTable) (\(many.ownColumn), \(many.otherColumn)) VALUES (?, ?)",
                        [.integer(object.key), .integer(target.key)]
                    )
                }
            case .toManyInverse, .manyToMany: break
            }
        }
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let names = columns.map(\.0).joined(separator: ", ")
        try connection.run("INSERT INTO \(entity.tableName) (\(names)) VALUES (\(marks))", columns.map(\.1))
    }

    func read(_ path: String, _ object: SampleObject) -> Any? {
        try? KeyPathReader(path: path).read(from: EvaluatedValue(object)).anyValue
    }

    private func stored(_ value: Any?) -> SQLValue {
        switch EvaluatedValue(value) {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .decimal(let value): .real(NSDecimalNumber(decimal: value).doubleValue)
        case .text(let value): .text(value)
        case .date(let value): .real(value.timeIntervalSinceReferenceDate)
        case .uuid(let value): .blob(withUnsafeBytes(of: value.uuid) { Data($0) })
        case .data(let value): .blob(value)
        case .url(let value): .text(value.absoluteString)
        default: .null
        }
    }

    func root(_ entity: String) -> String { schema.entities[entity]?.rootName ?? entity }

    // MARK: - Fetches

    var resolvers: ConstantResolvers {
        ConstantResolvers(
            object: { [schema] value in
                guard let object = value as? SampleObject else { return nil }
                return ObjectReference(
                    entityNumber: schema.entities[object.entity]?.number ?? 0,
                    primaryKey: object.key,
                    isTemporary: object.key < 0
                )
            },
            entityName: { ($0 as? SampleEntity)?.name }
        )
    }

    func translate(_ plan: FetchPlan) throws -> TranslatedFetch {
        try translator.translate(plan, constants: resolvers)
    }

    func rows(_ plan: FetchPlan) throws -> [[SQLValue]] {
        let statement = try translate(plan).statement
        return try connection.rows(statement.text, statement.bindings)
    }

    /// The keys of the rows that match a predicate in SQL.
    func keysInSQL(_ entity: String, _ predicate: PredicateNode) throws -> [Int64] {
        let plan = FetchPlan(entity: entity, predicate: predicate, columns: [.primaryKey])
        return try rows(plan).map { row in
            if case .integer(let key) = row[0] { key } else { -1 }
        }
    }

    /// The keys of the objects that match it in memory.
    func keysInMemory(_ entity: String, _ predicate: PredicateNode) throws -> [Int64] {
        let family = Set(schema.entities[entity]?.familyNumbers ?? [])
        let evaluator = Evaluator(predicate)
        return try (objects[root(entity)] ?? [])
            .filter { family.contains(schema.entities[$0.entity]?.number ?? 0) }
            .filter { try evaluator.evaluate($0) }
            .map(\.key)
    }
}

/// Parses a format.
func parsed(_ format: String, _ arguments: Any?...) throws -> PredicateNode {
    try PredicateParser.parse(format: format, arguments: arguments)
}
