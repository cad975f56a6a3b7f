// Tests models cached in stores whose subentities have proxies for inherited properties, as some of Apple's frameworks
// archive them.
import ExpectationSupport
import Foundation
import GraphModel
import Testing

@testable import GraphArchives
@testable import GraphModelFiles

struct PropertyProxyTests {
    private static let model = Model(entities: [
        Entity(
            name: "Event",
            properties: [
                .attribute(Attribute(common: PropertyCommon(name: "start"), type: .date)),
                .relationship(
                    Relationship(
                        common: PropertyCommon(name: "notes"),
                        destinationEntityName: "Note",
                        inverseName: "event",
                        maxCount: 0,
                        isToMany: true
                    )
                ),
            ]
        ),
        Entity(
            name: "Meeting",
            superentityName: "Event",
            properties: [.attribute(Attribute(common: PropertyCommon(name: "room"), type: .string))]
        ),
        Entity(
            name: "Note",
            properties: [
                .relationship(
                    Relationship(
                        common: PropertyCommon(name: "event"),
                        destinationEntityName: "Event",
                        inverseName: "notes"
                    )
                )
            ]
        ),
    ])

    /// The model's archive with proxies in the subentity, nested `depth` levels deep.
    private static func archive(depth: Int, isCircle: Bool = false) throws -> Data {
        let written = try CompiledModelWriter.write(model, form: .cache)
        guard case .dictionary(var list) = try BinaryPropertyList.read(written),
            case .array(var objects)? = list["$objects"], let archive = KeyedArchive(written)
        else {
            Issue.record("this is not an ")
            return written
        }
        let proxyClass = objects.count
        objects.append(
            .dictionary([
                "$classname": .text("_NSPropertyDescriptionProxy"),
                "$classes": .array([.text("_NSPropertyDescriptionProxy"), .text("NSObject")]),
            ])
        )
        var replaced = 0
        for (number, object) in objects.enumerated() {
            guard case .dictionary(let entries) = object, let name = archive.text(entries["NSPropertyName"]),
                let owner = archive.object(entries["NSEntity"]).flatMap({ archive.text("NSEntityName", of: $0) }),
                owner == "Meeting", name != "room"
            else { continue }
            // The proxies refer to the property itself, which is appended.
            let entity = entries["NSEntity"] ?? .null
            var underlying = objects.count
            objects.append(object)
            for _ in 1..<depth {
                let next = objects.count
                objects.append(
                    .dictionary([
                        "$class": .reference(proxyClass), "NSUnderlyingProperty": .reference(underlying),
                        "NSEntityDescription": entity,
                    ])
                )
                underlying = next
            }
            objects[number] = .dictionary([
                "$class": .reference(proxyClass),
                "NSUnderlyingProperty": .reference(isCircle ? number : underlying),
                "NSEntityDescription": entity,
            ])
            replaced += 1
        }
        expectEqual(replaced, 2)
        list["$objects"] = .array(objects)
        return BinaryPropertyListWriter.write(.dictionary(list))
    }

    @Test("A proxy of an inherited property is read as that property", arguments: [1, 2])
    func proxies(depth: Int) throws {
        let read = try ModelFile.readModel(compiled: try Self.archive(depth: depth), file: "store")
        let plain = try ModelFile.readModel(
            compiled: try CompiledModelWriter.write(Self.model, form: .cache),
            file: "x"
        )
        expectEqual(read, plain)
        expectEqual(read.versionHashes(), Self.model.versionHashes())
        expectEqual(read.entity(named: "Meeting")?.properties.map(\.name), ["room"])
    }

    @Test("A proxy of itself is reported as damage with the entity's name")
    func circle() throws {
        let data = try Self.archive(depth: 1, isCircle: true)
        let error = #expect(throws: ModelFileError.self) { try ModelFile.readModel(compiled: data, file: "store") }
        expectEqual(error?.entity, "Meeting")
    }
}
