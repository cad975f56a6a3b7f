// A model with an attribute of every type, and the values read by the context that set them, by a fresh one, and from a
// reopened store. Used by the tests of attribute types, transformables and large values.
import ExpectationSupport
import Foundation
import GraphSQL
import GraphSupport
import ManagedGraph
import Testing

/// Things with an attribute of every type, in a store of their own.
struct Things {
    static let model: NSManagedObjectModel = {
        ValueTransformer.setValueTransformer(BackwardsTransformer(), forName: NSValueTransformerName("Backwards"))
        ValueTransformer.setValueTransformer(ColorTransformer(), forName: NSValueTransformerName("ColorTransformer"))
        ValueTransformer.setValueTransformer(OnlyTexts(), forName: NSValueTransformerName("OnlyTexts"))
        let thing = NSEntityDescription("Thing")
        func transformable(_ name: String, _ transformer: String?) -> NSAttributeDescription {
            let attribute = NSAttributeDescription(name, .transformableAttributeType)
            attribute.valueTransformerName = transformer
            return attribute
        }
        let external = NSAttributeDescription("picture", .binaryDataAttributeType)
        external.allowsExternalBinaryDataStorage = true
        let externalAny = transformable("album", "NSSecureUnarchiveFromData")
        externalAny.allowsExternalBinaryDataStorage = true
        let transient = NSAttributeDescription("note", .undefinedAttributeType)
        transient.isTransient = true
        let transients = NSAttributeDescription("marks", .undefinedAttributeType)
        transients.isTransient = true
        thing.properties = NSAttributeDescription.list([
            "short": .integer16AttributeType, "middle": .integer32AttributeType, "long": .integer64AttributeType,
            "float": .floatAttributeType, "double": .doubleAttributeType, "decimal": .decimalAttributeType,
            "flag": .booleanAttributeType, "text": .stringAttributeType, "date": .dateAttributeType,
            "data": .binaryDataAttributeType, "uuid": .UUIDAttributeType, "url": .URIAttributeType,
        ])
        thing.properties += [
            transformable("plain", nil),
            transformable("secure", "NSSecureUnarchiveFromData"),
            transformable("backwards", "Backwards"),
            transformable("texts", "OnlyTexts"),
            transformable("color", "ColorTransformer"), transformable("colors", "NSKeyedUnarchiveFromData"),
            transformable("unknown", "NoSuchTransformer"),
            external, externalAny, transient, transients,
        ]
        return NSManagedObjectModel([thing])
    }()

    let stack: Stack

    init(url: URL? = nil) throws {
        stack = try Stack(model: Self.model, url: url)
        // Keep the objects that set values, so that the tests read the same objects again.
        stack.context.performAndWait { stack.context.retainsRegisteredObjects = true }
    }

    /// Creates an unsaved object; call on the context's queue.
    func new(_ values: [String: Any?], in context: NSManagedObjectContext? = nil) throws -> NSManagedObject {
        let entity = try #require(Self.model.entitiesByName["Thing"])
        let thing = NSManagedObject(entity: entity, insertInto: context ?? stack.context)
        for (key, value) in values { thing.setValue(value, forKey: key) }
        return thing
    }

    func make(_ values: [String: Any?]) throws {
        try stack.context.run { () throws in
            _ = try new(values)
            try stack.context.save()
        }
    }

    /// The first object of a context; call on its queue.
    func first(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
    }

    /// The names of the store's external files.
    var files: [String] {
        let folder = stack.folder.appending(path: ".Tasks_SUPPORT/_EXTERNAL_DATA").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// The value in the context that set it, in a fresh one, and in a reopened store.
    func values(_ key: String) throws -> [Any?] {
        func value(_ context: NSManagedObjectContext) throws -> Any? {
            try context.performAndWait { () throws in
                let things = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
                return try #require(things.first).value(forKey: key)
            }
        }
        let again = try Stack(model: Self.model, url: stack.url)
        return [try value(stack.context), try value(stack.otherContext()), try value(again.context)]
    }

    func expect<T: Equatable>(_ value: T, _ key: String) throws {
        try make([key: value])
        for stored in try values(key) { expectEqual(stored as? T, value, "\(key)") }
    }
}
