// Version hashes against published digests and against hashes that Apple's tools wrote.
import Foundation
import Testing

@testable import GraphModel

@Suite struct VersionHashTests {
    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    @Test func sha256GivesThePublishedDigests() {
        #expect(
            hex(SHA256.digest(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            hex(SHA256.digest([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(
            hex(SHA256.digest(Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)))
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        )
        #expect(
            hex(SHA256.digest([UInt8](repeating: 0x61, count: 1_000_000)))
                == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    @Test func sha512GivesThePublishedDigests() {
        #expect(
            hex(SHA512.digest(Array("abc".utf8)))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
        #expect(
            hex(SHA512.digest([]))
                == "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        )
        #expect(
            hex(SHA512.digest([UInt8](repeating: 0x61, count: 1_000_000)))
                == "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
        )
    }

    @Test func digestsOfEveryLengthAroundABlockDiffer() {
        // A wrong padding gives two lengths one digest, or reads past the end.
        let lengths = 0...260
        #expect(Set(lengths.map { hex(SHA256.digest([UInt8](repeating: 0, count: $0))) }).count == lengths.count)
        #expect(Set(lengths.map { hex(SHA512.digest([UInt8](repeating: 0, count: $0))) }).count == lengths.count)
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
        #expect(byName["name"] == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
        #expect(byName["petName"] == "3600ceedf50b080f90041365395158784f0deb03bc9acddf1cad607c4fe50742")
        #expect(
            model.versionHashes().mapValues { hex($0) }
                == ["User": "6b31f4e97b691d16c4c820bae55f89408d47013bd42151ecfde1eac7fe4be798"]
        )
    }

    @Test func whatHasNoEffectOnTheFileHasNoEffectOnTheHash() {
        var entity = user
        entity.className = "App.User"
        entity.codeGeneration = .category
        entity.renamingIdentifier = "Person"
        entity.userInfo = ["key": "value"]
        entity.indexes = [FetchIndex(name: "byName", elements: [FetchIndexElement(propertyName: "name")])]
        entity.properties.append(
            .attribute(Attribute(common: PropertyCommon(name: "scratch", isTransient: true), type: .undefined))
        )
        #expect(Model(entities: [entity]).versionHashes() == Model(entities: [user]).versionHashes())
    }

    @Test func whatChangesTheFileChangesTheHash() {
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

    @Test func aSuperentityTakesPartInTheHashOfItsSubentities() {
        let child = Entity(name: "Admin", superentityName: "User")
        var renamed = user
        renamed.versionHashModifier = "2"
        let first = Model(entities: [child, user]).versionHashes()
        let second = Model(entities: [child, renamed]).versionHashes()
        #expect(first["Admin"] != second["Admin"])
        #expect(Model(entities: [user, child]).versionHashes() == first, "The order of entities plays no part")
    }

    @Test func aCircleOfSuperentitiesHashesWithoutHanging() {
        let model = Model(entities: [
            Entity(name: "A", superentityName: "B"), Entity(name: "B", superentityName: "A"),
        ])
        #expect(model.versionHashes().count == 2)
    }

    @Test(arguments: [
        ("now()", "now()"), ("canonical:(name)", "canonical:(name)"), ("canonical(name)", "canonical:(name)"),
        ("canonical:( name )", "canonical:(name)"), ("articles.@count", "count:(articles)"),
        ("category.name", "category.name"), ("orders.@sum.amount", "sum:(orders.amount)"),
        ("count:(articles)", "count:(articles)"),
    ])
    func aDerivationIsHashedAsItPrints(format: String, printed: String) {
        #expect(DerivationFormat.printed(format) == printed)
    }
}
