// Key paths: to-one steps become shared joins, to-many steps become subselects, operators aggregate them.
import GraphEngine
import GraphModel
import GraphPredicates

extension Translator {
    /// Follows a key path from a value; `node` is the expression it is part of, for messages.
    func walk(
        _ path: ArraySlice<String>,
        from start: Operand,
        _ node: ExpressionNode
    ) throws -> Operand {
        var current = start
        var rest = path
        while let name = rest.first {
            if name.hasPrefix("@") { return try apply(name, rest.dropFirst(), to: current, node) }
            switch current {
            case .row(let cursor):
                let step = try step(rest, from: cursor, in: nil, node)
                current = step.operand
                rest = rest.dropFirst(step.length)
            case .collection(let collection):
                guard case .row(let cursor) = collection.element else {
                    let value = try member(name, of: collection.value, node)
                    current = element(.value(value), in: collection)
                    rest = rest.dropFirst()
                    continue
                }
                let step = try step(rest, from: cursor, in: collection, node)
                current = step.operand
                rest = rest.dropFirst(step.length)
            case .value(let value):
                current = .value(try member(name, of: value, node))
                rest = rest.dropFirst()
            case .hole, .list:
                throw noKey(name, node)
            }
        }
        return current
    }

    static let selfNames: Set<String> = ["self", "SELF", "#self", "#SELF"]

    /// One property of an object: its value and how many names of the path it took.
    private func step(
        _ path: ArraySlice<String>,
        from cursor: RowCursor,
        in collection: CollectionSource?,
        _ node: ExpressionNode
    ) throws -> (operand: Operand, length: Int) {
        let name = path.first ?? ""
        if let match = try property(path, of: cursor.entity, node) {
            return (try read(match.properties, named: name, from: cursor, in: collection, node), match.length)
        }
        if Self.selfNames.contains(name) || name == "objectID" {
            return (collection.map { .collection($0) } ?? .row(cursor), 1)
        }
        if name == "entity" {
            let number = SQLOperand(
                sql: entityNumber(of: cursor),
                kind: .entity,
                isNullable: cursor.isNullable
            )
            // An entity's name stands for its number, too: constants beside it are looked up.
            let length = path.dropFirst().first == "name" ? 2 : 1
            return (element(.value(number), in: collection), length)
        }
        throw unknown(name, of: cursor.entity, node)
    }

    /// The stored properties of this name: the entity's own, or those of the entities below it.
    private func property(
        _ path: ArraySlice<String>,
        of entity: EntitySchema,
        _ node: ExpressionNode
    ) throws -> (properties: [PropertySchema], length: Int)? {
        // Elements of composite attributes are stored under their joined names: the longest name wins.
        for length in stride(from: path.count, through: 1, by: -1) {
            let name = path.prefix(length).joined(separator: ".")
            if let property = entity.properties[name] { return ([property], length) }
            let below = index.subentities(of: entity).compactMap { $0.properties[name] }
            if !below.isEmpty { return (below, length) }
        }
        guard let name = path.first else { return nil }
        let family = [entity] + index.subentities(of: entity)
        if family.contains(where: { isUnstored($0.name, name) }) {
            throw failure(
                .needsMemory,
                node,
                "\"\(name)\" of \(entity.name) is not stored",
                "Filter the fetched objects in memory, or store the property"
            )
        }
        return nil
    }

    private func read(
        _ properties: [PropertySchema],
        named name: String,
        from cursor: RowCursor,
        in collection: CollectionSource?,
        _ node: ExpressionNode
    ) throws -> Operand {
        if case .toManyInverse(let property)? = properties.first, properties.count == 1 {
            return .collection(try follow(property, from: cursor, in: collection))
        }
        if case .manyToMany(let property)? = properties.first, properties.count == 1 {
            return .collection(try follow(property, from: cursor, in: collection))
        }
        var columns: [(name: String, kind: ValueKind)] = []
        var kind: ValueKind?
        var destination: EntitySchema?
        for property in properties {
            var next: (column: String, kind: ValueKind)
            switch property {
            case .attribute(let attribute):
                // The value compared with it must be read from its file.
                next = (attribute.column, attribute.isExternal ? .transformable : ValueKind(attribute.type))
            case .toOne(let toOne):
                let entity = try entity(toOne.destination)
                destination = destination ?? entity
                next = (toOne.column, .object(table: entity.table, entity: entity.name))
            case .toManyInverse, .manyToMany:
                throw ambiguous(name, cursor.entity, node)
            }
            if !columns.contains(where: { $0.name == next.column }) { columns.append((next.column, next.kind)) }
            if let previous = kind, previous != next.kind {
                guard let merged = previous.merged(with: next.kind) else { throw ambiguous(name, cursor.entity, node) }
                next.kind = merged
            }
            kind = next.kind
        }
        guard let kind else { throw unknown(name, of: cursor.entity, node) }
        let alias = cursor.alias
        // Siblings keep properties of one name in columns of their own; a row fills at most one of them.
        let values = columns.map { attribute in
            let value = SQLOperand(sql: column(alias, attribute.name), kind: attribute.kind, isNullable: true)
            return dialect.converted(value, to: kind)?.sql ?? value.sql
        }
        let sql: SQLFragment = values.count == 1 ? values[0] : "COALESCE(\(values.joined(", ")))"
        let isMixed = columns.contains { $0.kind.isMixed(with: kind) }
        if let destination {
            let next = RowCursor(
                scope: cursor.scope,
                entity: destination,
                key: sql,
                path: cursor.path + "." + name,
                isNullable: true
            )
            return element(.row(next), in: collection)
        }
        let value = SQLOperand(sql: sql, kind: kind, isNullable: true, isMixed: isMixed)
        return element(.value(value), in: collection)
    }

    private func element(_ element: Element, in collection: CollectionSource?) -> Operand {
        guard var collection else { return element.operand }
        collection.element = element
        return .collection(collection)
    }

    private func follow(
        _ property: ToManyInverse,
        from owner: RowCursor,
        in collection: CollectionSource?
    ) throws -> CollectionSource {
        let destination = try entity(property.destination)
        let table = property.destinationTable
        let scope: Scope
        let path: String
        let alias: String
        if let collection {
            (scope, path) = (collection.scope, collection.scope.newPath())
            alias = scope.join(table: table, column: property.column, key: owner, path: path)
        } else {
            (path, alias) = ("", aliases.next())
            scope = Scope(table: table, alias: alias, path: path, aliasSource: aliases)
            scope.conditions = [SQLCondition("\(column(alias, property.column)) = \(owner.key)", isNullable: true)]
        }
        let row = RowCursor(
            scope: scope,
            entity: destination,
            key: column(alias, destination.own.key),
            path: path,
            isNullable: collection != nil && owner.isNullable
        )
        let order = property.orderColumn.map { column(alias, $0) }
        return source(of: row, in: scope, from: owner, continuing: collection, order: order)
    }

    /// The rows that a relationship leads to, alone or joined to the rows of another collection.
    private func source(
        of row: RowCursor,
        in scope: Scope,
        from owner: RowCursor,
        continuing collection: CollectionSource?,
        order: SQLFragment?
    ) -> CollectionSource {
        var result = collection ?? CollectionSource(scope: scope, element: .row(row))
        result.element = .row(row)
        result.order = nil
        if collection == nil {
            result.outer = owner.scope
            result.owner = owner.isNullable ? owner.key : nil
            result.order = order
        }
        return result
    }

    private func follow(
        _ property: ManyToMany,
        from owner: RowCursor,
        in collection: CollectionSource?
    ) throws -> CollectionSource {
        let destination = try entity(property.destination)
        let scope: Scope
        let path: String
        let alias: String
        if let collection {
            (scope, path) = (collection.scope, collection.scope.newPath())
            alias = scope.join(table: property.joinTable, column: property.ownColumn, key: owner, path: nil)
        } else {
            (path, alias) = ("", aliases.next())
            scope = Scope(table: property.joinTable, alias: alias, path: nil, aliasSource: aliases)
            scope.conditions = [
                SQLCondition("\(column(alias, property.ownColumn)) = \(owner.key)", isNullable: true)
            ]
        }
        let row = RowCursor(
            scope: scope,
            entity: destination,
            key: column(alias, property.otherColumn),
            path: path,
            isNullable: collection != nil && owner.isNullable
        )
        let order = property.orderColumn.map { column(alias, $0) }
        return source(of: row, in: scope, from: owner, continuing: collection, order: order)
    }

    /// The value of a key of a value that is not an object.
    private func member(_ name: String, of value: SQLOperand, _ node: ExpressionNode) throws -> SQLOperand {
        if Self.selfNames.contains(name) { return value }
        func called(_ function: DialectFunction, _ kind: ValueKind) throws -> SQLOperand {
            SQLOperand(sql: try call(function, [value], node), kind: kind, isNullable: value.isNullable)
        }
        func key(_ kind: ValueKind) throws -> SQLOperand {
            let key = SQLOperand(sql: .bind(.fixed(.text(name))), kind: .text, isNullable: false)
            let sql = try call(.key, [value, key], node)
            return SQLOperand(sql: sql, kind: kind, isNullable: true)
        }
        var result = value
        switch (value.kind, name) {
        case (.text, "length"): return try called(.length, .integer)
        case (.text, "uppercaseString"), (.text, "uppercased"): return try called(.uppercase, .text)
        case (.text, "lowercaseString"), (.text, "lowercased"): return try called(.lowercase, .text)
        case (.text, "count"), (.text, "integerValue"), (.text, "intValue"), (.text, "longLongValue"):
            return try key(.integer)
        case (.text, "doubleValue"), (.text, "floatValue"): return try key(.real)
        case (.text, "boolValue"): return try key(.boolean)
        case (.text, "capitalizedString"), (.text, "capitalized"), (.text, "lastPathComponent"),
            (.text, "pathExtension"), (.text, "stringByDeletingPathExtension"),
            (.text, "stringByDeletingLastPathComponent"):
            return try key(.text)
        case (.url, "absoluteString"): result.kind = .text
        case (.date, "timeIntervalSinceReferenceDate"): result = dialect.converted(value, to: .real) ?? value
        case (.date, "timeIntervalSince1970"):
            result = dialect.converted(value, to: .real) ?? value
            result.sql = "\(result.atom) + 978307200.0"
            result.isCompound = true
        case (.data, "length"), (.data, "count"): return try called(.byteCount, .integer)
        default:
            if value.kind.isNumber {
                switch name {
                case "intValue", "integerValue", "longLongValue": return try key(.integer)
                case "doubleValue", "floatValue": return try key(.real)
                case "boolValue": return try key(.boolean)
                default: break
                }
            }
            throw failure(
                .needsMemory,
                node,
                "\(value.kind.name) has no key \"\(name)\" in the database",
                "Filter the fetched objects in memory"
            )
        }
        return result
    }

    func unknown(_ name: String, of entity: EntitySchema, _ node: ExpressionNode) -> TranslationError {
        let nearest = NearestName.of(name, among: index.names(of: entity))
        return failure(
            .unknownKey,
            node,
            "\(entity.name) has no property \"\(name)\"",
            nearest.map { "The nearest existing name is \"\($0)\"" }
        )
    }

    private func noKey(_ name: String, _ node: ExpressionNode) -> TranslationError {
        failure(.unknownKey, node, "the value before \"\(name)\" is not an object and has no keys")
    }

    private func ambiguous(_ name: String, _ entity: EntitySchema, _ node: ExpressionNode) -> TranslationError {
        failure(
            .unsupported,
            node,
            "the subentities of \(entity.name) have different properties \"\(name)\"",
            "Fetch the subentity that is meant"
        )
    }
}
