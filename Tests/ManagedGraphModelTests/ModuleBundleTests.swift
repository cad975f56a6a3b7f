// Finds models and mapping models by the bundle of the module that the build plugin has embedded them in.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@Suite("Models of a module's bundle")
final class ModuleBundleTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "bundles-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func contents(_ entity: String, _ attribute: String) -> String {
        """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="\(entity)"><attribute name="\(attribute)" optional="YES" attributeType="String"/></entity>
        </model>
        """
    }

    /// A mapping model that adds an entity.
    private static func mapping(to entity: String, _ attribute: String) -> String {
        let model = NSManagedObjectModel([NSEntityDescription(entity, [NSAttributeDescription(attribute)])])
        let hash = model.entityVersionHashesByName[entity]?.base64EncodedString() ?? ""
        return """
            {"sourcePath": "", "destinationPath": "", "sourceProperties": {}, "sourceHashes": {},
            "destinationHashes": {"\(entity)": "\(hash)"}, "entities": [{"name": "Adds\(entity)",
            "destinationName": "\(entity)", "userInfo": {}, "attributes": [], "relationships": []}]}
            """
    }

    private static let registration: Void = {
        for (module, entity) in [("Shelf", "Board"), ("Book_Shelf", "Book")] {
            ManagedObjectRegistry.register(module: module) {
                ModuleRegistration(
                    models: [
                        ModuleRegistration.Model(
                            name: module,
                            versions: [
                                .init(name: "1") { contents(entity, "old") },
                                .init(name: "2") { contents(entity, "new") },
                            ],
                            currentVersion: "2"
                        )
                    ],
                    classes: [],
                    mappings: [.init(name: module) { mapping(to: entity, "new") }]
                )
            }
        }
    }()

    /// Makes the bundle of a target's resources.
    private func bundle(_ name: String) throws -> Bundle {
        Self.registration
        let url = folder.appending(path: name)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return try #require(Bundle(path: url.path))
    }

    private func entities(_ bundle: Bundle) -> [String]? {
        NSManagedObjectModel.mergedModel(from: [bundle])?.entities.compactMap(\.name)
    }

    @Test("A bundle has the models of the module that its name ends with, of several the longest")
    func models() throws {
        try expectEqual(entities(bundle("App_Shelf.resources")), ["Board"])
        try expectEqual(entities(bundle("App_Book-Shelf.bundle")), ["Book"])
        try expectEqual(entities(bundle("AppShelf.resources")), [])
        try expectEqual(entities(bundle("App_Shelf")), [])
    }

    @Test("A store is opened with the version of the module's model that it was written with")
    func versions() throws {
        let old = NSManagedObjectModel([NSEntityDescription("Board", [NSAttributeDescription("old")])])
        let metadata: [String: Any] = ["NSStoreModelVersionHashes": old.entityVersionHashesByName]
        let bundle = try bundle("App_Shelf.resources")
        let model = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
        expectEqual(model?.entitiesByName["Board"]?.attributesByName.keys.sorted(), ["old"])
    }

    @Test("A model among the resources takes the place of the embedded one")
    func resources() throws {
        let bundle = try bundle("App_Shelf.resources")
        let model = folder.appending(path: "App_Shelf.resources/Shelf.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.contents("Board", "other").utf8).write(to: model.appending(path: "contents"))
        let merged = NSManagedObjectModel.mergedModel(from: [bundle])
        expectEqual(merged?.entitiesByName["Board"]?.attributesByName.keys.sorted(), ["other"])
    }

    @Test("A bundle has the mapping models of its module alone")
    func mappings() throws {
        let new = NSManagedObjectModel([NSEntityDescription("Board", [NSAttributeDescription("new")])])
        func mapping(_ bundle: Bundle) -> NSMappingModel? {
            NSMappingModel(from: [bundle], forSourceModel: NSManagedObjectModel(), destinationModel: new)
        }
        let shelfMapping = mapping(try bundle("App_Shelf.resources"))
        expectEqual(shelfMapping?.entityMappings?.map(\.name), ["AddsBoard"])
        try expectNil(mapping(bundle("App_Book_Shelf.resources")))
    }
}
