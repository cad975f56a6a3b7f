// Views as fetches: counting their rows and reading their identifiers.
import Foundation
import GraphEngine
import GraphPredicates
import ManagedGraph

extension BrowsingSession {
    /// The fetch of a request.
    func viewFetch(_ request: RowRequest) throws -> ViewFetch {
        _ = try shapes.required(request.entity)
        var predicate = try request.predicate.flatMap { try self.predicate($0, entity: request.entity) }
        var members: RowRequest.Owner?
        if let owner = request.owner {
            let id = try names.objectID(owner.id)
            let isPlain = predicate == nil && request.sort.isEmpty
            if let ownerCondition = try membership(owner, id, isPlain: isPlain) {
                predicate =
                    predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [ownerCondition, $0]) }
                    ?? ownerCondition
            } else {
                members = owner
            }
        }
        return ViewFetch(
            entity: request.entity,
            predicate: predicate,
            sort: try request.sort.map { try sortTerm($0, entity: request.entity) },
            includesSubentities: request.includesSubentities,
            members: members
        )
    }

    /// The predicate of the objects of a relationship; nil if they must be read from the relationship itself, because it
    /// has an order of its own, or no inverse.
    private func membership(_ owner: RowRequest.Owner, _ id: NSManagedObjectID, isPlain: Bool) throws -> NSPredicate? {
        let parts = owner.relationship.split(separator: ".").map(String.init)
        let entity = parts.count > 1 ? parts[0] : id.entity.name ?? ""
        guard let relationship = shapes[entity]?.property(parts.last ?? ""), relationship.kind != .attribute,
            let destination = relationship.destination
        else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(entity) has no relationship \(parts.last ?? "").",
                remedy: "Open a relationship from its cell."
            )
        }
        if parts.count > 1 {
            let isToMany = relationship.kind == .toMany
            return NSPredicate(format: isToMany ? "ANY %K == %@" : "%K == %@", relationship.name, id)
        }
        if let inverse = relationship.inverse, !(relationship.isOrdered && isPlain) {
            let isToMany = shapes[destination]?.property(inverse)?.kind == .toMany
            return NSPredicate(format: isToMany ? "ANY %K == %@" : "%K == %@", inverse, id)
        }
        guard isPlain else {
            throw CoreDataError.make(
                NSCoreDataError,
                "\(owner.relationship) has no inverse, so its objects can be neither filtered nor sorted.",
                remedy: "Open \(destination) itself to filter it, or give the relationship an inverse in the model."
            )
        }
        return nil
    }

    private func sortTerm(_ key: String, entity: String) throws -> SortTerm {
        let isDescending = key.hasPrefix("-")
        let path = isDescending || key.hasPrefix("+") ? String(key.dropFirst()) : key
        guard let property = shapes.property(path, of: entity), property.isSortable else {
            throw CoreDataError.make(
                NSCoreDataError,
                "Rows of \(entity) cannot be sorted by \(path).",
                remedy: "Sort by one of: "
                    + (shapes[entity]?.properties.filter(\.isSortable).map(\.name) ?? []).joined(separator: ", ") + "."
            )
        }
        return SortTerm(path.split(separator: ".").map(String.init), ascending: !isDescending)
    }

    /// The number of rows of a view.
    func count(_ fetch: ViewFetch, in context: NSManagedObjectContext) throws -> Int {
        if fetch.members != nil { return try rowList(fetch, limit: 0, in: context).count }
        return try context.count(for: fetch.request(NSManagedObject.self))
    }

    /// The identifiers of a view's rows, or of the first `limit` ones; 0 means all.
    func rowList(_ fetch: ViewFetch, limit: Int, in context: NSManagedObjectContext) throws -> RowList {
        if let owner = fetch.members {
            let object = try context.existingObject(with: names.objectID(owner.id))
            return RowList(CellReader.members(object, owner.relationship).map(\.objectID))
        }
        let layout = try coordinator.compiledModel.layout(named: fetch.entity)
        let stores = coordinator.rowStores(for: layout, among: nil)
        if stores.count == 1, let store = stores.first {
            var values = StoreFetch(layout: layout.stored, includesSubentities: fetch.includesSubentities)
            values.predicate = fetch.predicate?.node
            values.sort = fetch.sort
            values.limit = limit
            do {
                let batch = try CoreDataError.mapping(store.url) {
                    let session = try store.lease(for: nil, holdsSnapshot: false)
                    defer { store.giveBack(session) }
                    return try session.keys(values)
                }
                return RowList(batch, layout: layout, store: store)
            } catch let error as NSError where error.requiresInMemoryEvaluation {
                // Objects answer below.
            }
        }
        let request = fetch.request(NSManagedObjectID.self)
        request.resultType = .managedObjectIDResultType
        request.fetchLimit = limit
        return RowList(try context.fetch(request))
    }

    /// A predicate that some rows match, similar to a requested one that no row matches; nil if there is none.
    func suggestion(_ request: RowRequest) async throws -> String? {
        guard let format = request.predicate else { return nil }
        // Values are most often entered in another case, or in part.
        let tokens = PredicateText(format)
        var candidates: [String] = []
        if let softer = tokens.softened { candidates.append(softer) }
        let shape = try shapes.required(request.entity)
        if let title = shape.titleProperty, let searchText = tokens.firstText {
            candidates.append("\(title) CONTAINS[cd] \(PredicateText.quoted(searchText))")
        }
        for candidate in candidates where candidate != format {
            var candidateRequest = request
            candidateRequest.predicate = candidate
            guard let fetch = try? viewFetch(candidateRequest) else { continue }
            let fitting = try await read { [self] context in try count(fetch, in: context) }
            if fitting > 0 { return candidate }
        }
        // The title of any row makes a predicate that matches.
        var all = request
        (all.predicate, all.limit, all.offset) = (nil, 1, 0)
        guard let title = shape.titleProperty else { return nil }
        all.columns = [title]
        let first = try await window(all)
        guard let firstTitle = first.rows.first?.cells.first?.text else { return nil }
        return "\(title) == \(PredicateText.quoted(firstTitle))"
    }
}
