// Attributes of every type: through the context that set them, a fresh one, and a store that was opened again.
import Foundation
import GraphSQL
import ManagedGraph
import Testing

/// A transformer of one's own: texts, backwards.
final class BackwardsTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data(String($0.reversed()).utf8) }
    }
    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
    }
}

final class OnlyTexts: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSString.self] }
}

@Suite struct AttributeTypes {
    static let model: NSManagedObjectModel = {
        ValueTransformer.setValueTransformer(BackwardsTransformer(), forName: NSValueTransformerName("Backwards"))
        ValueTransformer.setValueTransformer(OnlyTexts(), forName: NSValueTransformerName("OnlyTexts"))
        let thing = NSEntityDescription()
        thing.name = "Thing"
        func transformable(_ name: String, _ transformer: String?) -> NSAttributeDescription {
            let attribute = TasksModel.attribute(name, .transformableAttributeType)
            attribute.valueTransformerName = transformer
            return attribute
        }
        let external = TasksModel.attribute("picture", .binaryDataAttributeType)
        external.allowsExternalBinaryDataStorage = true
        let externalAny = transformable("album", "NSSecureUnarchiveFromData")
        externalAny.allowsExternalBinaryDataStorage = true
        let transient = TasksModel.attribute("note", .undefinedAttributeType)
        transient.isTransient = true
        thing.properties = [
            TasksModel.attribute("short", .integer16AttributeType),
            TasksModel.attribute("middle", .integer32AttributeType),
            TasksModel.attribute("long", .integer64AttributeType),
            TasksModel.attribute("float", .floatAttributeType),
            TasksModel.attribute("double", .doubleAttributeType),
            TasksModel.attribute("decimal", .decimalAttributeType),
            TasksModel.attribute("flag", .booleanAttributeType),
            TasksModel.attribute("text", .stringAttributeType),
            TasksModel.attribute("date", .dateAttributeType),
            TasksModel.attribute("data", .binaryDataAttributeType),
            TasksModel.attribute("uuid", .UUIDAttributeType),
            TasksModel.attribute("url", .URIAttributeType),
            transformable("plain", nil),
            transformable("secure", "NSSecureUnarchiveFromData"),
            transformable("backwards", "Backwards"),
            transformable("texts", "OnlyTexts"),
            transformable("unknown", "NoSuchTransformer"),
            external, externalAny, transient,
        ]
        let model = NSManagedObjectModel()
        model.entities = [thing]
        return model
    }()

    let stack: Stack

    init() throws { stack = try Stack(model: Self.model) }

    private func make(_ values: [String: Any?]) throws {
        try stack.context.run { () throws in
            let entity = try #require(Self.model.entitiesByName["Thing"])
            let thing = NSManagedObject(entity: entity, insertInto: stack.context)
            for (key, value) in values { thing.setValue(value, forKey: key) }
            try stack.context.save()
        }
    }

    /// The value in the context that set it, in a fresh one, and in a store opened again.
    private func values(_ key: String) throws -> [Any?] {
        func value(_ context: NSManagedObjectContext) throws -> Any? {
            try context.performAndWait { () throws in
                let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
                return try #require(things.first).value(forKey: key)
            }
        }
        let again = try Stack(model: Self.model, url: stack.url)
        return [try value(stack.context), try value(stack.otherContext()), try value(again.context)]
    }

    private func expect<T: Equatable>(_ value: T, _ key: String) throws {
        try make([key: value])
        for found in try values(key) { #expect(found as? T == value, "\(key)") }
    }

    @Test(arguments: [Int64.min, -1, 0, Int64.max]) func integers(value: Int64) throws { try expect(value, "long") }
    @Test(arguments: [Int32.min, Int32.max]) func middleIntegers(value: Int32) throws { try expect(value, "middle") }
    @Test(arguments: [Int16.min, Int16.max]) func shortIntegers(value: Int16) throws { try expect(value, "short") }
    @Test(arguments: [-Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, .infinity])
    func doubles(value: Double) throws { try expect(value, "double") }
    @Test(arguments: [Float.greatestFiniteMagnitude, 0.1, -0.0]) func floats(value: Float) throws {
        try expect(value, "float")
    }
    @Test(arguments: [true, false]) func booleans(value: Bool) throws { try expect(value, "flag") }
    @Test(arguments: ["", "ß İ 👩‍👩‍👧 e\u{301}", "a\u{0}b", String(repeating: "long ", count: 50_000)])
    func texts(value: String) throws { try expect(value, "text") }
    @Test(arguments: [Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0.123_456_789)])
    func dates(value: Date) throws { try expect(value, "date") }
    @Test(arguments: [Data(), Data([0, 1, 255]), Data(repeating: 7, count: 300_000)])
    func binaries(value: Data) throws { try expect(value, "data") }
    @Test func uuids() throws { try expect(UUID(), "uuid") }
    @Test func urls() throws { try expect(try #require(URL(string: "https://example.org/ä?q=1#x")), "url") }
    @Test(arguments: ["0.1", "12345678901.25", "-0.000001", "99999999999999"])
    func decimals(text: String) throws {
        let value = try #require(Decimal(string: text))
        try make(["decimal": value])
        for found in try values("decimal") { #expect((found as? NSNumber)?.decimalValue == value) }
    }

    // A number that is none has no place in SQLite.
    @Test func notANumberIsStoredAsNil() throws {
        try make(["double": Double.nan])
        #expect(try values("double").dropFirst().allSatisfy { $0 == nil })
    }

    @Test func transientValuesStayInMemoryAndAreDroppedByFaulting() throws {
        stack.context.performAndWait { stack.context.retainsRegisteredObjects = true }
        try make(["note": "remember"])
        let found = try values("note")
        #expect(found[0] as? String == "remember" && found[1] == nil && found[2] == nil)
        try stack.context.run { () throws in
            let things = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
            let thing = try #require(things.first)
            stack.context.refresh(thing, mergeChanges: true)
            #expect(thing.value(forKey: "note") as? String == "remember")
            stack.context.refresh(thing, mergeChanges: false)
            #expect(thing.value(forKey: "note") == nil)
        }
    }

    // MARK: Transformable

    @Test(arguments: ["plain", "secure"]) func collectionsAreArchived(key: String) throws {
        try make([key: ["names": ["a", "b"], "count": 2] as [String: Any]])
        for found in try values(key) {
            let value = try #require(found as? [String: Any])
            #expect(value["names"] as? [String] == ["a", "b"] && value["count"] as? Int == 2)
        }
    }

    @Test func aTransformerOfOnesOwnMakesTheBytes() throws {
        try expect("abc", "backwards")
        let rows = try stack.rows("SELECT ZBACKWARDS FROM ZTHING")
        #expect(rows == [[.blob(Data("cba".utf8))]])
    }

    @Test func secureTransformersReadOnlyWhatTheyAllow() throws {
        try expect(["a", "b"], "texts")
        try make(["texts": ["a", 1] as [Any]])
        let again = try Stack(model: Self.model, url: stack.url)
        try again.context.performAndWait { () throws in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
            let found = try again.context.fetch(request).map { $0.value(forKey: "texts") as? [String] }
            #expect(found.contains(["a", "b"]) && found.contains(nil))
        }
    }

    @Test func whatCannotBeStoredIsAnErrorOfTheSaveWithEntityAndProperty() throws {
        struct Opaque {}
        for (key, value) in [("plain", Opaque() as Any), ("secure", Opaque()), ("unknown", "x"), ("backwards", 5)] {
            let stack = try Stack(model: Self.model)
            try stack.context.run { () throws in
                let entity = try #require(Self.model.entitiesByName["Thing"])
                let thing = NSManagedObject(entity: entity, insertInto: stack.context)
                thing.setValue(value, forKey: key)
                let error = #expect(throws: NSError.self) { try stack.context.save() }
                #expect(error?.localizedDescription.contains("Thing.\(key)") == true)
                thing.setValue(nil, forKey: key)
                try stack.context.save()
            }
        }
    }

    @Test func anUnreadableValueShowsAsNilAndKeepsItsBytes() throws {
        try make(["plain": ["a"], "text": "one"])
        try stack.execute("UPDATE ZTHING SET ZPLAIN = x'00112233'")
        let other = stack.otherContext()
        try other.run { () throws in
            let thing = try #require(try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
            #expect(thing.value(forKey: "plain") == nil)
            thing.setValue("two", forKey: "text")
            try other.save()
        }
        #expect(try stack.rows("SELECT ZPLAIN FROM ZTHING") == [[.blob(Data([0, 0x11, 0x22, 0x33]))]])
    }

    // MARK: Files

    private func files() -> [String] {
        let folder = stack.folder.appending(path: ".Tasks_SUPPORT/_EXTERNAL_DATA").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    @Test func largeValuesHaveFilesAndSmallOnesHaveNot() throws {
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try make(["picture": large])
        for found in try values("picture") { #expect(found as? Data == large) }
        let name = try #require(files().first)
        #expect(files().count == 1)
        #expect(try stack.rows("SELECT ZPICTURE FROM ZTHING") == [[.blob(Data([2]) + Data(name.utf8) + Data([0]))]])
        let small = Data([9, 8, 7])
        try stack.context.run { () throws in
            let things = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
            things.first?.setValue(small, forKey: "picture")
            try stack.context.save()
        }
        #expect(files().isEmpty)
        #expect(try stack.rows("SELECT ZPICTURE FROM ZTHING") == [[.blob(Data([1, 9, 8, 7]))]])
        for found in try values("picture") { #expect(found as? Data == small) }
    }

    @Test func largeTransformablesHaveFilesToo() throws {
        let album = ["pages": String(repeating: "page ", count: 50_000)]
        try make(["album": album])
        #expect(files().count == 1)
        for found in try values("album") { #expect(found as? [String: String] == album) }
    }

    @Test func deletedObjectsTakeTheirFilesAlongAndFailedSavesLeaveNone() throws {
        try make(["picture": Data(repeating: 1, count: 200_000)])
        try stack.context.run { () throws in
            let thing = try #require(
                try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first
            )
            let other = NSManagedObject(entity: thing.entity, insertInto: stack.context)
            other.setValue(Data(repeating: 2, count: 200_000), forKey: "picture")
            other.setValue(5, forKey: "backwards")
            #expect(throws: NSError.self) { try stack.context.save() }
            #expect(files().count == 1)
            other.setValue(nil, forKey: "backwards")
            try stack.context.save()
            #expect(files().count == 2)
            stack.context.delete(thing)
            try stack.context.save()
            #expect(files().count == 1)
            #expect((other.value(forKey: "picture") as? Data)?.count == 200_000)
        }
    }

    @Test func filesThatAKilledProcessHasLeftAreRemovedWhenTheStoreIsOpened() throws {
        try make(["picture": Data(repeating: 1, count: 200_000)])
        let folder = stack.folder.appending(path: ".Tasks_SUPPORT/_EXTERNAL_DATA")
        let (old, new) = (UUID().uuidString, UUID().uuidString)
        for name in [old, new] { try Data([1]).write(to: folder.appending(path: name)) }
        try FileManager.default.setAttributes(
            [.modificationDate: Date().addingTimeInterval(-7200)],
            ofItemAtPath: folder.appending(path: old).path
        )
        _ = try Stack(model: Self.model, url: stack.url)
        // What may be another process's, not yet named by its row, stays.
        #expect(files().count == 2 && files().contains(new) && !files().contains(old))
    }
}
