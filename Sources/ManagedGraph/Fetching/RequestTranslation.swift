// Translates requests to the values that stores take.
import Foundation
import GraphEngine
import GraphModel
import GraphPredicates
import GraphSQL

extension SortTerm {
    /// Translates a sort descriptor with a key.
    ///
    /// Throws if the descriptor compares by a closure.
    init(_ descriptor: NSSortDescriptor) throws {
        if let keyPath = descriptor.unnamedKeyPath {
            throw CoreDataError.make(
                NSCoreDataError,
                "The key path \(keyPath) of a sort descriptor is not a property of the model that has a name.",
                remedy: "Sort by properties of the model; computed ones exist in memory only. A class written by hand "
                    + "without the build plugin names its key paths in managedKeyPaths()."
            )
        }
        guard let key = descriptor.sortKey, !descriptor.hasComparator else {
            throw CoreDataError.make(
                NSCoreDataError,
                "A sort descriptor without a key, or with a closure, cannot sort a fetch.",
                remedy: "Sort by a property's name and one of the selectors, or sort the result in memory."
            )
        }
        self.init(
            key.split(separator: ".").map(String.init),
            ascending: descriptor.isAscending,
            selector: descriptor.sortSelector
        )
    }
}

extension DictionaryPlan {
    /// Translates the properties to fetch, the properties to group by and the condition on groups.
    package init<T>(_ request: NSFetchRequest<T>, layout: ObjectLayout) throws {
        func columns(_ property: Any) throws -> [Column] {
            switch property {
            case let name as String:
                return Self.columns(name, layout)
            case let expression as NSExpressionDescription:
                guard let node = expression.expression?.node else {
                    // A description that only names a property stands for that property.
                    if layout.slot(named: expression.name) != nil { return Self.columns(expression.name, layout) }
                    throw CoreDataError.make(
                        NSCoreDataError,
                        "The expression description \(expression.name) has no expression.",
                        remedy: "Set its expression."
                    )
                }
                let column = PlanColumn.expression(name: expression.name, node.withFunctionsOverRows)
                let type = AttributeType(rawValue: Int(expression.expressionResultType.rawValue))
                return [Column(column: column, place: [expression.name], slot: nil, type: type)]
            case let description as NSPropertyDescription:
                return Self.columns(description.name, layout)
            default:
                throw CoreDataError.make(
                    NSCoreDataError,
                    "propertiesToFetch holds a \(type(of: property)).",
                    remedy: "Give attributes' names, property descriptions or expression descriptions."
                )
            }
        }
        let properties =
            request.propertiesToFetch
            ?? layout.slots
            .filter {
                $0.composite < 0 && $0.kind != .toMany && ($0.isStored || ($0.type == .composite && !$0.isTransient))
            }
            .map { $0.name as Any }
        let groups = try (request.propertiesToGroupBy ?? []).flatMap(columns)
        let fetched = try properties.flatMap(columns).map { column in
            // All rows of a group have the value that they are grouped by.
            let isOfRow = groups.isEmpty || groups.contains { $0.place == column.place }
            return isOfRow ? column : column.overTheGroup(in: layout)
        }
        try Self.check(fetched, groups, having: request.havingPredicate, layout)
        self.init(
            fetch: ColumnFetch(
                columns: fetched.map(\.column),
                attributes: fetched.map { $0.slot.map(PropertyLayout.init) },
                isDistinct: request.returnsDistinctResults,
                groupBy: groups.map(\.column),
                having: request.havingPredicate?.node.withFunctionsOverRows.overTheGroup(in: layout)
            ),
            places: fetched.map(\.place),
            slots: fetched.map(\.slot),
            types: fetched.map(\.type)
        )
    }

    /// Throws 134060 if a requested column has no single value for a group.
    private static func check(
        _ columns: [Column],
        _ groups: [Column],
        having: NSPredicate?,
        _ layout: ObjectLayout
    ) throws {
        guard !groups.isEmpty else {
            guard having == nil else {
                throw CoreDataError.make(
                    NSCoreDataError,
                    "The request has a havingPredicate, but no propertiesToGroupBy.",
                    remedy: "Set propertiesToGroupBy; or use predicate, which judges single rows."
                )
            }
            return
        }
        let grouped = Set(groups.flatMap { $0.column.paths(in: layout) })
        for column in columns {
            guard let path = column.column.paths(in: layout).first(where: { !grouped.contains($0) }) else { continue }
            let name = path.joined(separator: ".")
            throw CoreDataError.make(
                NSCoreDataError,
                "propertiesToFetch names \(name), which propertiesToGroupBy does not: a group may have many values of "
                    + "it.",
                remedy: "Group by \(name) too, or fetch a function of it, such as max:."
            )
        }
    }

    private struct Column {
        let column: PlanColumn
        let place: [String]
        let slot: Slot?
        var type: AttributeType?

        /// The column of a group: a value that each row computes of its related objects applies to the members of all rows
        /// of the group, as `tags.@count` and `count:(tags)`.
        func overTheGroup(in layout: ObjectLayout) -> Column {
            let name: String
            let node: ExpressionNode
            switch column {
            case .expression(let key, let expression):
                name = key
                node = expression
            case .keyPath(let path) where path.contains { $0.hasPrefix("@") }:
                name = path.joined(separator: ".")
                node = .path(path)
            default: return self
            }
            let column = PlanColumn.expression(name: name, node.overTheGroup(in: layout))
            return Column(column: column, place: place, slot: nil, type: type)
        }
    }

    /// The columns of a property at a path: one, or those of a composite attribute's elements.
    private static func columns(_ name: String, _ layout: ObjectLayout) -> [Column] {
        let path = name.split(separator: ".").map(String.init)
        if path.first?.hasPrefix("@") == true {
            let node = ExpressionNode.path(path).withFunctionsOverRows
            return [Column(column: .expression(name: name, node), place: [name], slot: nil)]
        }
        let (slot, owner) = find(path, layout)
        guard let slot, slot.type == .composite, let owner else {
            return [Column(column: .keyPath(path), place: [name], slot: slot)]
        }
        func elements(_ composite: Slot, _ place: [String], _ path: [String]) -> [Column] {
            composite.elements.flatMap { element -> [Column] in
                let slot = owner.slots[element.slot]
                let (place, path) = (place + [element.name], path + [element.name])
                if slot.type == .composite { return elements(slot, place, path) }
                return slot.isStored ? [Column(column: .keyPath(path), place: place, slot: slot)] : []
            }
        }
        return elements(slot, [name], path)
    }

    /// The attribute at the end of a path of to-one relationships, and the layout that has it.
    private static func find(_ path: [String], _ layout: ObjectLayout) -> (slot: Slot?, owner: ObjectLayout?) {
        if let slot = layout.slot(named: path.joined(separator: ".")) { return (layout.slots[slot], layout) }
        guard path.count > 1, let slot = layout.slot(named: path[0]), layout.slots[slot].kind == .toOne,
            let destination = layout.slots[slot].destination
        else { return (nil, nil) }
        return find(Array(path.dropFirst()), layout.model.layouts[destination])
    }
}
