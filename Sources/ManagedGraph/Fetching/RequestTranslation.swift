// From the objects of a request to the values that stores take.
import Foundation
import GraphPredicates
import GraphSQL

extension SortTerm {
    /// Takes a sort descriptor by key.
    ///
    /// Throws for one that compares by a closure.
    init(_ descriptor: NSSortDescriptor) throws {
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
    /// Reads the properties to fetch, to group by and the condition on groups.
    init<T>(_ request: NSFetchRequest<T>, layout: ObjectLayout) throws {
        var names: [String] = []
        func column(_ property: Any) throws -> PlanColumn {
            switch property {
            case let name as String:
                names.append(name)
                return .keyPath(name.split(separator: ".").map(String.init))
            case let expression as NSExpressionDescription:
                guard let node = expression.expression?.node else {
                    throw CoreDataError.make(
                        NSCoreDataError,
                        "The expression description \(expression.name) has no expression.",
                        remedy: "Set its expression."
                    )
                }
                names.append(expression.name)
                return .expression(name: expression.name, node)
            case let description as NSPropertyDescription:
                names.append(description.name)
                return .keyPath([description.name])
            default:
                throw CoreDataError.make(
                    NSCoreDataError,
                    "propertiesToFetch holds a \(type(of: property)).",
                    remedy: "Give attributes' names, property descriptions or expression descriptions."
                )
            }
        }
        let wanted =
            request.propertiesToFetch
            ?? layout.slots.filter { $0.isStored && $0.kind != .toMany }.map { $0.name as Any }
        let columns = try wanted.map(column)
        let fetchedNames = names
        let groups = try (request.propertiesToGroupBy ?? []).map(column)
        self.init(
            columns: columns,
            names: fetchedNames,
            isDistinct: request.returnsDistinctResults,
            groupBy: groups,
            having: request.havingPredicate?.node
        )
    }
}
