// The fingerprint of a store's objects: one number for rows and relationships, one for values.
import Foundation
import ManagedGraph

/// Two stores with equal prints have the same content.
struct StorePrint: Equatable {
    private(set) var rows: UInt64
    private(set) var values: UInt64
    private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Reads a store.
    init(_ url: URL, _ model: NSManagedObjectModel) throws {
        var print = StorePrint(rows: Self.start, values: Self.start)
        try Self.use(url, model, isReadOnly: true) { context in
            for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.includesSubentities = false
                let properties = entity.propertiesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
                for object in try context.fetch(request).sorted(by: { Self.name($0) < Self.name($1) }) {
                    print.addRow(Self.name(object))
                    for property in properties { print.add(property, of: object) }
                }
            }
        }
        self = print
    }

    private init(rows: UInt64, values: UInt64) { (self.rows, self.values) = (rows, values) }

    private mutating func add(_ property: NSPropertyDescription, of object: NSManagedObject) {
        switch property {
        case is NSAttributeDescription:
            let value = object.value(forKey: property.name)
            switch value {
            case let data as Data: Self.add(data, to: &values)
            case let date as Date: Self.add(Data("\(date.timeIntervalSinceReferenceDate)".utf8), to: &values)
            case let value?: Self.add(Data("\(value)".utf8), to: &values)
            case nil: Self.add(Data([0]), to: &values)
            }
        case let relationship as NSRelationshipDescription:
            let value = object.value(forKey: relationship.name)
            switch value {
            case let other as NSManagedObject: addRow(Self.name(other))
            case let others as NSOrderedSet: addRow(others.array.compactMap(Self.name).joined(separator: " "))
            case let others as Set<NSManagedObject>: addRow(others.map(Self.name).sorted().joined(separator: " "))
            default: addRow("")
            }
        default: break
        }
    }

    private mutating func addRow(_ text: String) { Self.add(Data(text.utf8), to: &rows) }

    private static func name(_ any: Any) -> String? { (any as? NSManagedObject).map(name) }

    private static func name(_ object: NSManagedObject) -> String {
        object.objectID.uriRepresentation().pathComponents.suffix(2).joined(separator: "/")
    }

    private static func add(_ data: Data, to hash: inout UInt64) {
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ 0x1F) &* 0x100_0000_01B3
    }

    /// Opens a store, runs `body` and closes the store.
    static func use(
        _ url: URL,
        _ model: NSManagedObjectModel,
        isReadOnly: Bool = false,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            type: .sqlite,
            at: url,
            options: [NSReadOnlyPersistentStoreOption: isReadOnly]
        )
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let outcome = context.performAndWait { Result { try body(context) } }
        try coordinator.remove(store)
        try outcome.get()
    }
}
