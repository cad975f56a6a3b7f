// Tests damaged archives of models: reading and using them always ends with a model or an error. ARCHIVE_STRIDE sets the
// distance of the bytes that are damaged, and of the objects whose references are redirected (default 32 and 4).
import ExpectationSupport
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import GraphSupport
import ManagedGraph
import TestSupport
import Testing

struct DamagedModelTests {
    private static let distance = ProcessInfo.processInfo.environment["ARCHIVE_STRIDE"].flatMap(Int.init)

    private static let text = """
        <?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel" userDefinedModelVersionIdentifier="7">
        <entity name="Place"><attribute name="name" attributeType="String" maxValueString="20"/>
        <attribute name="rank" attributeType="Integer 16" defaultValueString="3" minValueString="1"/>
        <attribute name="cost" optional="YES" attributeType="Decimal" defaultValueString="2.5"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="visits.@count"/>
        <relationship name="visits" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
        destinationEntity="Visit" inverseName="place" inverseEntity="Place"/>
        <fetchIndex name="byRank"><fetchIndexElement property="rank" type="Binary" order="descending"/></fetchIndex>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint></uniquenessConstraints>
        </entity><entity name="Visit"><attribute name="at" optional="YES" attributeType="Date" defaultDateTimeInterval="9"/>
        <relationship name="place" maxCount="1" optional="YES" deletionRule="Nullify" destinationEntity="Place"
        inverseName="visits" inverseEntity="Visit"/></entity><entity name="Stay" parentEntity="Visit"/>
        <fetchRequest name="near" entity="Place" predicateString="rank &lt; $RANK AND name BEGINSWITH[c] 'a'"/></model>
        """

    private static func model() throws -> Model {
        try ModelFile.readModel(contents: Data(text.utf8), file: "text")
    }

    /// The outcomes of damaged archives.
    private struct Outcome {
        var refused = 0
        var used = 0
    }

    /// Reads a damaged archive, and uses the model if its hashes match, as for a store.
    private func attempt(_ outcome: inout Outcome, _ hashes: [String: Data], _ readModel: () throws -> Model) {
        do {
            let values = try readModel()
            let model = try NSManagedObjectModel(values)
            guard values.versionHashes() == hashes else {
                outcome.refused += 1
                return
            }
            try model.saveAnObjectOfEachEntity()
            outcome.used += 1
        } catch {
            outcome.refused += 1
        }
    }

    @Test func flippedBitsDoNoMoreThanFail() throws {
        let model = try Self.model()
        let hashes = model.versionHashes()
        let cache = try ModelFile.cache(of: model)
        let archive = try RawDeflate.inflate(cache, limit: 1 << 20)
        var generator = SeededNumbers(seed: 20_140_917)
        var outcome = Outcome()
        for byte in stride(from: 0, to: archive.count, by: Self.distance ?? 32) {
            var damaged = archive
            damaged[byte] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            attempt(&outcome, hashes) { try ModelFile.readModel(compiled: damaged, file: "damaged") }
            damaged[byte] = .random(in: 0...255, using: &generator)
            damaged[.random(in: archive.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            attempt(&outcome, hashes) { try ModelFile.readModel(compiled: damaged, file: "damaged") }
        }
        for byte in stride(from: 0, to: cache.count, by: Self.distance ?? 32) {
            var damaged = cache
            damaged[byte] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            attempt(&outcome, hashes) { try ModelFile.readModel(cache: damaged, file: "damaged") }
            attempt(&outcome, hashes) { try ModelFile.readModel(cache: cache.prefix(byte), file: "cut") }
        }
        print("damaged models: \(outcome.refused) refused, \(outcome.used) used all the same")
        #expect(outcome.refused > outcome.used)
        #expect(outcome.used > 0)
    }

    /// Redirects every reference in the archive to other objects, which creates all kinds of circles.
    @Test func referencesThatLeadElsewhereDoNoMoreThanFail() throws {
        let model = try Self.model()
        let hashes = model.versionHashes()
        let archive = try #require(KeyedArchive(RawDeflate.inflate(ModelFile.cache(of: model), limit: 1 << 20)))
        var generator = SeededNumbers(seed: 20_140_917)
        var outcome = Outcome()
        let numbers = archive.objects.indices.filter { $0.isMultiple(of: Self.distance ?? 4) }
        for number in numbers {
            for _ in 0..<3 {
                var objects = archive.objects
                objects[number] = redirected(objects[number], objects.count, &generator)
                let damaged = BinaryPropertyListWriter.write(
                    .dictionary([
                        "$archiver": .text("NSKeyedArchiver"), "$version": .integer(100_000),
                        "$top": .dictionary(archive.top), "$objects": .array(objects),
                    ])
                )
                attempt(&outcome, hashes) { try ModelFile.readModel(compiled: damaged, file: "damaged") }
            }
        }
        print("redirected models: \(outcome.refused) refused, \(outcome.used) used all the same")
        expectEqual(outcome.refused + outcome.used, numbers.count * 3)
    }

    /// A value whose references lead to random objects.
    private func redirected(_ value: ListValue, _ count: Int, _ generator: inout SeededNumbers) -> ListValue {
        switch value {
        case .reference: return .reference(.random(in: 0..<count, using: &generator))
        case .array(let members): return .array(members.map { redirected($0, count, &generator) })
        case .dictionary(let entries):
            var result = entries
            for key in entries.keys.sorted() where key != "$class" && Bool.random(using: &generator) {
                result[key] = entries[key].map { redirected($0, count, &generator) }
            }
            return .dictionary(result)
        default: return value
        }
    }

    @Test func twoPropertiesOrEntitiesOfOneNameAreRefused() throws {
        let model = try Self.model()
        var properties = model
        properties.entities[0].properties.append(properties.entities[0].properties[0])
        var entities = model
        entities.entities.append(entities.entities[1])
        for (model, reason) in [(properties, "two properties of this name"), (entities, "two entities of this name")] {
            let compiled = try ModelFile.compiled(model)
            let error = #expect(throws: ModelFileError.self) {
                try ModelFile.readModel(compiled: compiled, file: "damaged")
            }
            expectEqual(error?.reason.contains(reason), true, "\(String(describing: error))")
        }
    }

    @Test(arguments: [-1, 3, 1 << 40]) func aRequestOfAnUnknownResultTypeFetchesObjects(_ type: Int) throws {
        var model = try Self.model()
        model.fetchRequestTemplates[0].resultType = type
        let xml = Self.text.replacing("name=\"near\"", with: "name=\"near\" resultType=\"\(type)\"")
        for reading in [
            try ModelFile.examine(try ModelFile.compiled(model), file: "compiled"),
            try ModelFile.examine(Data(xml.utf8), file: "text"),
        ] {
            #expect(reading.findings.contains { $0.reason.contains("\(type)") }, "\(reading.findings)")
            let usable = try NSManagedObjectModel(reading.model)
            expectEqual(usable.fetchRequestTemplate(forName: "near")?.resultType, .managedObjectResultType)
        }
        // The value itself does not crash the program either.
        _ = try NSManagedObjectModel(model)
    }

    /// A predicate whose two parts are the same predicate, nested forty times: naively, a trillion comparisons.
    @Test func aPredicateThatRefersToItselfTwiceIsLeftOut() throws {
        var writer = KeyedArchiveWriter()
        var part = writer.object(["NSTruePredicate", "NSPredicate", "NSObject"], [:])
        for _ in 0..<40 {
            part = writer.object(
                ["NSCompoundPredicate", "NSPredicate", "NSObject"],
                ["NSCompoundPredicateType": .integer(1), "NSSubpredicates": writer.collection([part, part])]
            )
        }
        try expectRuleLeftOut(ofRule: part, &writer)
    }

    @Test func aPredicateInsideOfItselfIsLeftOut() throws {
        var writer = KeyedArchiveWriter()
        let part = writer.reserve()
        writer.fill(
            part,
            classes: ["NSCompoundPredicate", "NSPredicate", "NSObject"],
            entries: ["NSCompoundPredicateType": .integer(0), "NSSubpredicates": writer.collection([part])]
        )
        try expectRuleLeftOut(ofRule: part, &writer)
    }

    /// Reads a model whose only attribute has this rule, which must be omitted.
    private func expectRuleLeftOut(ofRule rule: ListValue, _ writer: inout KeyedArchiveWriter) throws {
        let attribute = writer.object(
            ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
            [
                "NSPropertyName": writer.text("name"), "NSAttributeType": .integer(700),
                "NSValidationPredicates": writer.collection([rule]),
            ]
        )
        let name = writer.text("name")
        let entity = writer.object(
            ["NSEntityDescription", "NSObject"],
            ["NSEntityName": writer.text("Note"), "NSProperties": writer.dictionary([(key: name, value: attribute)])]
        )
        let root = writer.object(
            ["NSManagedObjectModel", "NSObject"],
            ["NSEntities": writer.dictionary([(key: writer.text("Note"), value: entity)])]
        )
        let data = writer.data(top: ["root": root])
        // Other programs may use predicates unknown to this one; the rest of the model is still useful.
        let reading = try ModelFile.examine(data, file: "model")
        let finding = try #require(reading.findings.first)
        expectEqual(finding.entity, "Note")
        expectEqual(finding.property, "name")
        expectEqual(finding.level, .warning)
        expectEqual(finding.reason, "a validation predicate cannot be read and is not checked.")
        expectEqual(reading.model.entities.first?.attributes.first?.common.validations.isEmpty, true)
    }
}
