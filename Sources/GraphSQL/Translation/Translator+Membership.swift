// IN, and CONTAINS on collections: constant lists of any length, lists of expressions, to-many key paths, substrings.
import GraphPredicates

extension Translator {
    /// The elements of a constant collection as rows, for ANY and ALL; nil if they are not of one kind.
    func rows(of hole: Hole) -> (value: SQLOperand, source: SQLFragment)? {
        guard case .list(let shapes, _, false) = hole.shape else { return nil }
        var kind = ValueKind.unknown
        for shape in shapes {
            guard let next = shape.kind, let merged = kind.merged(with: next) else { return nil }
            kind = merged
        }
        guard let storage = kind.storage(for: kind, in: dialect) else { return nil }
        let hasReals = storage == .date || !shapes.isDisjoint(with: [.plain(.real), .plain(.decimal)])
        let rows = dialect.rows(
            of: .bind(.hole(hole.index, .list(storage))),
            ListElements(storage, hasReals: hasReals),
            alias: SQLFragment(text: aliases.next())
        )
        return (SQLOperand(sql: rows.element, kind: kind, isNullable: false), "SELECT 1 FROM \(rows.source)")
    }

    /// Whether `element` is in `collection`.
    func membership(_ element: Operand, _ collection: Operand, _ node: ComparisonNode) throws -> SQLCondition {
        switch collection {
        case .collection(let source):
            let condition = try relation(source.element.operand, element, .equal, node)
            return exists(source, where: condition)
        case .list(let elements):
            return try membership(element, elements, node)
        case .hole(let hole):
            switch hole.shape {
            case .list(_, _, let hasNull):
                if case .hole(let constant) = element, constant.shape == .null { return hasNull ? .always : .never }
                let value = try single(element, node)
                let condition = try membership(value, hole, node)
                // As in memory: nil is in a list that has nil.
                guard hasNull, value.isNullable else { return condition }
                return .any([condition, SQLCondition("\(value.atom) IS NULL", isNullable: false)])
            case .plain(.text), .unstored(.text): return try textTest(.contains, collection, element, node)
            case .null: return .never
            default:
                throw failure(.incomparable, node, "\(hole.shape.name) contains nothing", "IN needs a collection")
            }
        case .value(let value):
            guard value.kind == .text else {
                throw failure(.incomparable, node, "\(value.kind.name) contains nothing", "IN needs a collection")
            }
            return try textTest(.contains, collection, element, node)
        case .row:
            throw failure(.incomparable, node, "an object contains nothing", "IN needs a collection")
        }
    }

    /// A list of expressions: elements that cannot be NULL become SQL's list, the rest is compared one by one.
    private func membership(
        _ element: Operand,
        _ elements: [Operand],
        _ node: ComparisonNode
    ) throws -> SQLCondition {
        guard case .value(let value) = element, !node.options.folds || (value.kind != .text && value.kind != .entity),
            value.kind != .boolean || !dialect.hasStaticTypes
        else {
            return .any(try elements.map { try relation(element, $0, .equal, node) })
        }
        var places: [SQLOperand] = []
        var conditions: [SQLCondition] = []
        for place in elements {
            if case .hole(let hole) = place, hole.shape != .null {
                if let constant = try constant(hole, beside: value.kind, node) { places.append(constant) }
            } else {
                conditions.append(try relation(element, place, .equal, node))
            }
        }
        if !places.isEmpty {
            let list = SQLCondition(
                "\(value.atom) IN (\(places.map(\.sql).joined(", ")))",
                isNullable: value.isNullable
            )
            conditions.insert(list, at: 0)
        }
        return .any(conditions)
    }

    /// A constant collection.
    private func membership(_ value: SQLOperand, _ hole: Hole, _ node: ComparisonNode) throws -> SQLCondition {
        guard case .list(let shapes, let places, _) = hole.shape else { return .never }
        if value.kind == .entity, node.options.folds, shapes == [.plain(.text)] {
            return try membership(entityName(value), hole, node)
        }
        var storage: StorageClass?
        for shape in shapes {
            // An element of a foreign kind equals nothing: it is bound as NULL, or as a key that no row has.
            guard let kind = shape.kind, let next = value.kind.storage(for: kind, in: dialect) else { continue }
            storage = next.joined(with: storage)
        }
        guard let storage else { return .never }
        let isMixed = shapes.contains { $0.kind.flatMap { value.kind.storage(for: $0, in: dialect) } == nil }
        let isNullable = value.isNullable || isMixed
        // A text beside numbers may spell a real one.
        let reals: Set<ConstantShape> = [.plain(.real), .plain(.decimal), .plain(.date), .plain(.text)]
        let hasReals = storage == .date || (storage != .text && storage != .uuid && !shapes.isDisjoint(with: reals))
        let elements = ListElements(storage, hasReals: hasReals)
        let list = SQLFragment.bind(.hole(hole.index, .list(storage)))
        if node.options.folds, value.kind == .text {
            if let folded = folded(value, node.options) {
                let list = SQLFragment.bind(.hole(hole.index, .foldedList(node.options.intersection(.folding))))
                return SQLCondition(dialect.isMember(folded.atom, of: list, elements), isNullable: isNullable)
            }
            let rows = dialect.rows(of: list, elements, alias: nil)
            let test = try compare(.equal, value.sql, rows.element, node)
            return SQLCondition("EXISTS (SELECT 1 FROM \(rows.source) WHERE \(test))", isNullable: false)
        }
        guard case .marks(let count) = places, dialect.spreadsShortLists else {
            let element = SQLOperand(sql: list, kind: storage.numberKind ?? value.kind, isNullable: false)
            let value = dialect.comparable(value, element, isOrdering: false).left
            return SQLCondition(dialect.isMember(value.atom, of: list, elements), isNullable: isNullable)
        }
        let marks = (0..<count).map { SQLFragment.bind(.hole(hole.index, .element($0, storage))) }
        return SQLCondition("\(value.atom) IN (\(marks.joined(", ")))", isNullable: isNullable)
    }
}
