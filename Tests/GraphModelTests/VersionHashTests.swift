// Compares version hashes with those that Apple's tools wrote.
import ExpectationSupport
import Foundation
import GraphArchives
import Testing

@testable import GraphModel

struct VersionHashTests {
    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private var user: Entity {
        Entity(
            name: "User",
            properties: [
                .attribute(Attribute(common: PropertyCommon(name: "petName"), type: .string)),
                .attribute(Attribute(common: PropertyCommon(name: "name", isOptional: false), type: .string)),
            ]
        )
    }

    @Test func theUserEntityHashesAsApplesToolsHashIt() {
        let model = Model(entities: [user])
        let byName = Dictionary(uniqueKeysWithValues: user.properties.map { ($0.name, hex($0.versionHash)) })
        expectEqual(byName["name"], "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
        expectEqual(byName["petName"], "3600ceedf50b080f90041365395158784f0deb03bc9acddf1cad607c4fe50742")
        expectEqual(
            model.versionHashes().mapValues { hex($0) },
            ["User": "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798"]
        )
    }

    /// In the order of the hashes that Xcode's compiler wrote for published models with both.
    @Test func theModifierOfAnEntityIsHashedBeforeItsUniquenessConstraints() {
        var entity = user
        entity.versionHashModifier = "quick"
        entity.uniquenessConstraints = [["petName"], ["name"]]
        let properties = user.properties.sorted { $0.name < $1.name }.flatMap(\.versionHash)
        let bytes = Array("User".utf8) + [0] + properties + Array("quickname".utf8) + Array("petName".utf8)
        expectEqual(Model(entities: [entity]).versionHashes()["User"].map(hex), hex(SHA256.digest(bytes)))
    }

    @Test func changesWithoutAnEffectOnTheFileHaveNoEffectOnTheHash() {
        var entity = user
        entity.className = "App.User"
        entity.codeGeneration = .category
        entity.renamingIdentifier = "Person"
        entity.userInfo = ["key": "value"]
        entity.indexes = [FetchIndex(name: "byName", elements: [FetchIndexElement(propertyName: "name")])]
        entity.properties.append(
            .attribute(Attribute(common: PropertyCommon(name: "scratch", isTransient: true), type: .undefined))
        )
        expectEqual(Model(entities: [entity]).versionHashes(), Model(entities: [user]).versionHashes())
    }

    @Test func changesOfTheFileChangeTheHash() {
        let plain = Model(entities: [user]).versionHashes()
        var modified = user
        modified.versionHashModifier = "2"
        var unique = user
        unique.uniquenessConstraints = [["name"]]
        var abstract = user
        abstract.isAbstract = true
        for entity in [modified, unique, abstract] {
            #expect(Model(entities: [entity]).versionHashes() != plain)
        }
    }

    @Test func aSuperentityAffectsTheHashOfItsSubentities() {
        let child = Entity(name: "Admin", superentityName: "User")
        var renamed = user
        renamed.versionHashModifier = "2"
        let first = Model(entities: [child, user]).versionHashes()
        let second = Model(entities: [child, renamed]).versionHashes()
        #expect(first["Admin"] != second["Admin"])
        expectEqual(Model(entities: [user, child]).versionHashes(), first, "The order of entities plays no part")
    }

    @Test func aCircleOfSuperentitiesHashesWithoutHanging() {
        let model = Model(entities: [
            Entity(name: "A", superentityName: "B"), Entity(name: "B", superentityName: "A"),
        ])
        expectEqual(model.versionHashes().count, 2)
    }

    @Test(arguments: [
        ("now()", "now()"), ("canonical:(name)", "canonical:(name)"), ("canonical(name)", "canonical:(name)"),
        ("canonical:( name )", "canonical:(name)"), ("articles.@count", "count:(articles)"),
        ("category.name", "category.name"), ("orders.@sum.amount", "sum:(orders.amount)"),
        ("count:(articles)", "count:(articles)"),
    ])
    func aDerivationIsHashedAsItPrints(format: String, printed: String) {
        expectEqual(DerivationFormat.printed(format), printed)
    }
}
