// Conversion between a stored fetch request as a value and as an NSFetchRequest.
import Foundation
import GraphModel
import GraphPredicates

extension FetchRequestTemplate {
    /// A stored request as a value.
    init(_ request: NSFetchRequest<any NSFetchRequestResult>, name: String) {
        self.init(
            name: name,
            entityName: request.entityName ?? request.entity?.name ?? "",
            predicateFormat: request.predicate.map(ModelFormat.text),
            sortKeys: (request.sortDescriptors ?? []).compactMap { descriptor in
                descriptor.sortKey.map { SortKey(key: $0, ascending: descriptor.ascending) }
            },
            fetchLimit: request.fetchLimit,
            fetchBatchSize: request.fetchBatchSize,
            resultType: Int(request.resultType.rawValue),
            includesSubentities: request.includesSubentities,
            includesPropertyValues: request.includesPropertyValues,
            returnsObjectsAsFaults: request.returnsObjectsAsFaults,
            returnsDistinctResults: request.returnsDistinctResults,
            includesPendingChanges: request.includesPendingChanges
        )
    }

    /// The value as a request.
    ///
    /// - Throws: The defect of the predicate.
    func makeRequest() throws -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: entityName)
        request.predicate = try predicateFormat.map(ModelFormat.predicate)
        if !sortKeys.isEmpty {
            request.sortDescriptors = sortKeys.map { NSSortDescriptor(key: $0.key, ascending: $0.ascending) }
        }
        request.fetchLimit = fetchLimit
        request.fetchBatchSize = fetchBatchSize
        request.resultType = NSFetchRequestResultType(rawValue: UInt(clamping: resultType))
        request.includesSubentities = includesSubentities
        request.includesPropertyValues = includesPropertyValues
        request.returnsObjectsAsFaults = returnsObjectsAsFaults
        request.returnsDistinctResults = returnsDistinctResults
        request.includesPendingChanges = includesPendingChanges
        return request
    }
}
