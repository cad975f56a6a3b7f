// The entities of transactions and changes, for fetch requests in history requests.
import Foundation

/// The entities that requests for history name.
enum HistoryEntities {
    static let change = entity(
        "Change",
        [
            ("changeID", .integer64AttributeType), ("changedEntity", .stringAttributeType),
            ("changedObjectID", .objectIDAttributeType), ("changeType", .integer16AttributeType),
        ]
    )
    static let transaction = entity(
        "Transaction",
        [
            ("author", .stringAttributeType), ("bundleID", .stringAttributeType), ("contextName", .stringAttributeType),
            ("processID", .stringAttributeType), ("timestamp", .dateAttributeType),
            ("token", .integer64AttributeType), ("transactionNumber", .integer64AttributeType),
        ]
    )

    private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        return entity
    }

    static func request(_ entity: NSEntityDescription) -> NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = entity
        return request
    }
}
