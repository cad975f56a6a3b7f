// Tests collected XML and binary stores: opened, traversed, changed, saved, and compared with their original content.
import CollectionSupport
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

struct AppleFiles {
    private func open(_ url: URL, _ type: String, _ model: NSManagedObjectModel) throws -> StoreStack {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type,
            configurationName: nil,
            at: url,
            options: [NSIgnorePersistentStoreVersioningOption: true]
        )
        return StoreStack(coordinator)
    }

    /// Reads all objects and all related objects; returns the number of objects and of relationship steps.
    private func walk(_ stack: StoreStack) throws -> (objects: Int, steps: Int) {
        try stack.run { context in
            var (objects, steps) = (0, 0)
            for entity in stack.coordinator.managedObjectModel.entities where entity.superentity == nil {
                for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
                    objects += 1
                    for name in object.entity.attributesByName.keys { _ = object.value(forKey: name) }
                    for name in object.entity.relationshipsByName.keys {
                        steps += object.objectIDs(forRelationshipNamed: name).count
                    }
                }
            }
            return (objects, steps)
        }
    }

    /// The transformable values of all objects.
    ///
    /// A store archives each again when it is saved, so that the values are equal but not the bytes.
    private func transformables(_ stack: StoreStack) throws -> [String] {
        try stack.run { context in
            try stack.coordinator.managedObjectModel.entities.flatMap { entity in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")).flatMap { object in
                    Self.transformableNames(entity).map { name in
                        "\(object.objectID.uriRepresentation().lastPathComponent) \(name) \(object.value(forKey: name) ?? "")"
                    }
                }
            }
            .sorted()
        }
    }

    private static func transformableNames(_ entity: NSEntityDescription) -> [String] {
        entity.attributesByName.values.filter { $0.attributeType == .transformableAttributeType }.map(\.name).sorted()
    }

    /// An object of an XML store without its transformable values.
    private static func withoutTransformables(_ object: XMLShape.Object, _ model: NSManagedObjectModel) -> String {
        var object = object
        let entity = model.entities.first { $0.name?.uppercased() == object.type.uppercased() }
        for name in entity.map(transformableNames) ?? [] { object.attributes[name.lowercased()] = nil }
        return object.summary
    }

    /// An object of a binary store without its transformable values.
    ///
    /// The array lists the superentity's attributes first; the attributes of each entity are sorted by name.
    private static func withoutTransformables(
        _ node: BinaryShape.Node,
        _ model: NSManagedObjectModel
    ) -> BinaryShape.Node {
        var node = node
        guard let entity = model.entitiesByName[node.entity] else { return node }
        var lineage = [entity]
        while let parent = lineage[0].superentity { lineage.insert(parent, at: 0) }
        var listedNames: Set<String> = []
        let names = lineage.flatMap { level in
            level.attributesByName.keys.sorted().filter { listedNames.insert($0).inserted }
        }
        for name in transformableNames(entity) {
            if let place = names.firstIndex(of: name) { node.values[place] = "transformable" }
        }
        return node
    }

    /// Changes a string of the first object that has one, and returns the new value.
    private func change(_ stack: StoreStack) throws -> String {
        let mark = "changed \(UUID().uuidString)"
        try stack.run { context in
            for entity in stack.coordinator.managedObjectModel.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }
            ) {
                let object = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")).first
                for name in entity.attributesByName.keys.sorted() {
                    guard let object, object.value(forKey: name) is String else { continue }
                    object.setValue(mark, forKey: name)
                    return try context.save()
                }
            }
        }
        return mark
    }

    @Test func xmlStoresKeepAllThatTheyHeld() throws {
        let files = Collections.files(.xmlStore)
        #expect(files.count >= Collections.least(2, fixtures: 1))
        for file in files {
            let url = try file.copy()
            defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
            let model = try PawModels.model(of: file, type: NSXMLStoreType)
            let before = try XMLShape.read(try Data(contentsOf: url))
            let stack = try open(url, NSXMLStoreType, model)
            expectEqual(stack.store.identifier, before.uuid)
            let (objects, steps) = try walk(stack)
            expectEqual(objects, before.objects.count)
            #expect(steps > 0)
            let values = try transformables(stack)
            let mark = try change(stack)
            let after = try XMLShape.read(try Data(contentsOf: url))
            let changed = zip(before.objects, after.objects).filter {
                Self.withoutTransformables($0, model) != Self.withoutTransformables($1, model)
            }
            expectEqual(after.objects.map(\.identifier), before.objects.map(\.identifier))
            expectEqual(changed.count, 1, "\(changed.map { "\($0.summary)\n\($1.summary)" })")
            expectEqual(changed.first?.1.summary.contains(mark), true)
            let again = try open(url, NSXMLStoreType, model)
            #expect(try walk(again) == (objects, steps))
            try expectEqual(transformables(again), values)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSXMLStoreType, at: url)
            expectEqual(metadata[NSStoreUUIDKey] as? String, before.uuid)
            print("\(file.name): \(objects) objects, \(steps) steps, one change")
        }
    }

    @Test func binaryStoresKeepAllThatTheyHeld() throws {
        let files = Collections.files(.binaryStore)
        #expect(files.count >= Collections.least(4, fixtures: 1))
        for file in files {
            let url = try file.copy()
            defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
            let model = try PawModels.model(of: file, type: NSBinaryStoreType)
            let before = try BinaryShape(try Data(contentsOf: url))
            let stack = try open(url, NSBinaryStoreType, model)
            let (objects, _) = try walk(stack)
            expectEqual(objects, before.nodes.count)
            let values = try transformables(stack)
            let mark = try change(stack)
            let after = try BinaryShape(try Data(contentsOf: url))
            expectEqual(after.nodes.map(\.number), before.nodes.map(\.number))
            #expect(after.header[0] == before.header[0] && after.header[5] == before.header[5])
            let pairs = zip(before.nodes, after.nodes).map { former, current in
                (Self.withoutTransformables(former, model), Self.withoutTransformables(current, model))
            }
            let changed = pairs.filter { former, current in
                // Additional relationships of the derived model are appended.
                former.values != Array(current.values.prefix(former.values.count))
                    || former.related.keys.sorted() != current.related.keys.filter { !$0.hasPrefix("back_") }.sorted()
                    || former.summary.split(separator: "]").last != current.summary.split(separator: "]").last
            }
            expectEqual(changed.count, 1, "\(changed.map { "\($0.summary)\n\($1.summary)" })")
            expectEqual(changed.first?.1.summary.contains(mark), true)
            let again = try open(url, NSBinaryStoreType, model)
            try expectEqual(walk(again).objects, objects)
            try expectEqual(transformables(again), values)
            print("\(file.name): \(objects) objects, one change")
        }
    }

    private static let damages = ProcessInfo.processInfo.environment["FILE_DAMAGES"].flatMap(Int.init) ?? 150

    @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func damagedFilesAreRefusedAndNeverCrash(type: String) throws
    {
        let kind: StoreKind = type == NSXMLStoreType ? .xml : .binary
        let world = try StoreWorld(kind)
        try world.open().fill()
        let whole = try Data(contentsOf: world.url)
        var (refused, opened) = (0, 0)
        var generator = SystemRandomNumberGenerator()
        for round in 0..<Self.damages {
            var damaged = whole
            switch round {
            case 0: damaged = Data()
            case 1..<20: damaged = whole.prefix(whole.count * round / 20)
            default:
                for _ in 0...(round % 3) {
                    damaged[Int.random(in: 0..<whole.count, using: &generator)] = .random(
                        in: 0...255,
                        using: &generator
                    )
                }
            }
            try damaged.write(to: world.url)
            do {
                let stack = try world.open()
                _ = try walk(stack)
                opened += 1
            } catch let error as NSError {
                refused += 1
                expectEqual(error.domain, NSCocoaErrorDomain)
                #expect(error.localizedRecoverySuggestion != nil)
                try expectEqual(Data(contentsOf: world.url), damaged)
            }
        }
        print("\(type): \(refused) of 400 damaged files refused, \(opened) opened")
        #expect(refused > 100)
    }

    @Test(arguments: [StoreKind.xml, .binary]) func aFileThatAnotherProgramChangedIsNotOverwritten(kind: StoreKind)
        throws
    {
        let world = try StoreWorld(kind)
        let (one, other) = (try world.open(), try world.open())
        try one.fill()
        let there = try Data(contentsOf: world.url)
        let error = #expect(throws: NSError.self) { () throws in try other.fill() }
        expectEqual(error?.code, NSPersistentStoreSaveError)
        try expectEqual(Data(contentsOf: world.url), there)
    }

    @Test func anXMLStoreIsValidatedAgainstItsModelOnRequest() throws {
        let world = try StoreWorld(.xml)
        try world.open().fill()
        _ = try world.open([NSValidateXMLStoreOption: true])
        let xml = try String(contentsOf: world.url, encoding: .utf8)
        let changed = xml.replacing("type=\"int16\"", with: "type=\"int32\"")
        #expect(xml != changed)
        try Data(changed.utf8).write(to: world.url)
        _ = try world.open()
        let error = #expect(throws: NSError.self) { () throws in _ = try world.open([NSValidateXMLStoreOption: true]) }
        expectEqual(error?.localizedDescription.contains("int32"), true)
    }

    @Test func aBinaryStoreReadsAllowedClassesOnly() throws {
        let world = try StoreWorld(.binary)
        try world.open().run { context in
            context.make("Item", ["name": "i", "list": NSMutableIndexSet(index: 5)])
            try context.save()
        }
        func read(_ options: [String: Any]) throws -> Bool {
            try world.open(options).run { context in
                try context.all("Item").first?.value(forKey: "list") is NSIndexSet
            }
        }
        let error = #expect(throws: NSError.self) { () throws in
            _ = try read([NSBinaryStoreSecureDecodingClasses: [NSUUID.self] as [AnyClass]])
        }
        expectEqual(error?.localizedDescription.contains("NSBinaryStoreSecureDecodingClasses"), true)
        #expect(try read([NSBinaryStoreSecureDecodingClasses: [NSIndexSet.self] as [AnyClass]]))
        #expect(
            try read([
                NSBinaryStoreSecureDecodingClasses: [NSUUID.self] as [AnyClass],
                NSBinaryStoreInsecureDecodingCompatibilityOption: true,
            ])
        )
    }
}
