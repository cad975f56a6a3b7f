// What a results controller was asked for at its last fetch. Made by performFetch(), read by the tracker; a request
// that is changed later has no effect before the next fetch.
import Foundation
import GraphPredicates

/// The fixed part of a fetch and its arrangement.
struct ResultsConfiguration {
    let entity: NSEntityDescription
    let includesSubentities: Bool
    let predicate: NSPredicate?
    let sort: SortOrder
    let sectionNameKeyPath: String?
    /// The properties of the entity itself that place an object: the first keys of all sort and section key paths.
    let placingKeys: Set<String>
    /// The properties of related objects that place an object.
    let relatedKeys: [RelatedKey]
    /// The properties of related objects that decide whether an object belongs.
    let decidingKeys: [RelatedKey]

    /// Checks a request and takes over what matters for tracking.
    ///
    /// - Throws: 134060 for a request that a results controller cannot use.
    init<ResultType>(
        _ request: NSFetchRequest<ResultType>,
        sectionNameKeyPath: String?,
        context: NSManagedObjectContext
    ) throws {
        guard
            let entity = request.entity
                ?? request.entityName.flatMap({ NSEntityDescription.entity(forEntityName: $0, in: context) })
        else {
            throw Self.error(
                "the context's model has no entity named \(request.entityName ?? "(none)")",
                remedy: "Give the fetch request the name of an entity of the model."
            )
        }
        guard request.resultType == .managedObjectResultType else {
            throw Self.error(
                "its fetch request does not ask for managed objects",
                remedy: "Set the request's resultType to .managedObjectResultType."
            )
        }
        guard let descriptors = request.sortDescriptors, !descriptors.isEmpty else {
            throw Self.error(
                "its fetch request has no sort descriptors",
                remedy: sectionNameKeyPath.map { "Sort by \($0) first." } ?? "Give the request at least one."
            )
        }
        if let path = sectionNameKeyPath, let name = entity.name,
            let model = try? context.requireCoordinator().compiledModel
        {
            try model.check { try $0.checkPath(path.split(separator: ".").map(String.init), entity: name) }
        }
        self.entity = entity
        includesSubentities = request.includesSubentities
        predicate = request.predicate
        sort = SortOrder(descriptors)
        self.sectionNameKeyPath = sectionNameKeyPath
        let placing = sort.keyPaths + [sectionNameKeyPath].compactMap { $0 }
        placingKeys = Set(placing.compactMap { $0.split(separator: ".").first.map(String.init) })
        relatedKeys = RelatedKey.keys(in: placing, from: entity)
        let deciding = request.predicate.map { PredicateKeyPaths.keyPaths(in: $0.node) } ?? []
        decidingKeys = RelatedKey.keys(in: deciding, from: entity)
    }

    /// Whether objects of an entity can be among the results.
    func concerns(_ other: NSEntityDescription) -> Bool {
        includesSubentities ? other.isKindOf(entity: entity) : other === entity
    }

    /// Whether an object is among the results, by entity and predicate.
    func includes(_ object: NSManagedObject) -> Bool {
        concerns(object.entity) && predicate?.evaluate(with: object) != false
    }

    /// Whether related objects have unsaved changes in values that place the results: the store, which sorts a
    /// fetch, does not know them.
    ///
    /// O(unsaved objects).
    func mustSortInMemory(_ context: NSManagedObjectContext) -> Bool {
        guard !relatedKeys.isEmpty, context.hasChanges else { return false }
        return context.updatedObjects.contains { object in
            relatedKeys.contains { object.entity.isKindOf(entity: $0.entity) }
        }
    }

    /// The arrangement of the results.
    var rules: ListRules<NSManagedObject> {
        let sort = sort
        return ListRules(
            sectionName: sectionNameKeyPath.map { keyPath in
                { SectionName.text(of: $0.value(forKeyPath: keyPath)) }
            },
            sortKeys: { sort.keys(of: $0) },
            areInOrder: { sort.areInOrder($0, $1) }
        )
    }

    static func error(_ reason: String, remedy: String) -> NSError {
        CoreDataError.make(
            NSCoreDataError,
            "The results controller cannot fetch: \(reason). \(remedy)",
            reason: reason,
            remedy: remedy
        )
    }
}

/// The text of a section name.
enum SectionName {
    /// The name for a value at the section name key path; no value gives an empty one.
    static func text(of value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let text as String: text
        case let flag as Bool: flag ? "1" : "0"
        case let number as NSNumber: number.stringValue
        case let value?: "\(value)"
        }
    }
}
