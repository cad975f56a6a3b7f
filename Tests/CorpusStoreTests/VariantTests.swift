// Opens, reads, changes and checks forms of stores that the corpus lacks: other page sizes and journals, other entity
// numbers, tables of a mirror, rows without versions, relationship tables named by the other side.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQL
import GraphSQLite
import GraphSupport
import ManagedGraph
import ManagedGraphTools
import Testing

struct VariantTests {
    private static let contents = """
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="Alpha">
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="made" optional="YES" attributeType="Date"/>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <relationship name="betas" optional="YES" toMany="YES" ordered="YES" destinationEntity="Beta" \
        inverseName="alphas"/>
            <relationship name="next" optional="YES" maxCount="1" destinationEntity="Alpha" inverseName="before"/>
            <relationship name="before" optional="YES" maxCount="1" destinationEntity="Alpha" inverseName="next"/>
          </entity>
          <entity name="Beta">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="alphas" optional="YES" toMany="YES" destinationEntity="Alpha" inverseName="betas"/>
          </entity>
          <entity name="Gamma" parentEntity="Beta"/>
        </model>
        """

    /// A modification that another writer may have made to a store.
    struct Variant: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var sql: String
    }

    private static let variants = [
        Variant(testDescription: "nothing", sql: ""),
        Variant(testDescription: "no model inside", sql: "DROP TABLE Z_MODELCACHE"),
        Variant(testDescription: "rollback journal", sql: "PRAGMA journal_mode = DELETE"),
        Variant(
            testDescription: "pages of 2,048 bytes",
            sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = 2048; VACUUM"
        ),
        Variant(
            testDescription: "entity numbers in another order",
            sql: """
                UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 100; UPDATE Z_PRIMARYKEY SET Z_ENT = 7 WHERE Z_NAME = 'Alpha';
                UPDATE Z_PRIMARYKEY SET Z_ENT = 2 WHERE Z_NAME = 'Beta';
                UPDATE Z_PRIMARYKEY SET Z_ENT = 1, Z_SUPER = 2 WHERE Z_NAME = 'Gamma';
                UPDATE ZALPHA SET Z_ENT = 7; UPDATE ZBETA SET Z_ENT = CASE Z_ENT WHEN 2 THEN 2 ELSE 1 END;
                ALTER TABLE Z_1BETAS RENAME TO Z_7BETAS;
                ALTER TABLE Z_7BETAS RENAME COLUMN Z_1ALPHAS TO Z_7ALPHAS
                """
        ),
        Variant(
            testDescription: "a relationship's table named by the other side",
            sql: "ALTER TABLE Z_1BETAS RENAME TO Z_2ALPHAS"
        ),
        Variant(
            testDescription: "rows without versions",
            sql: "UPDATE ZALPHA SET Z_OPT = NULL; UPDATE ZBETA SET Z_OPT = NULL"
        ),
        Variant(testDescription: "whole dates as integers", sql: "UPDATE ZALPHA SET ZMADE = 700000000"),
        Variant(
            testDescription: "tables of a mirror, of an R-tree and of others",
            sql: """
                CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER);
                INSERT INTO ANSCKRECORDMETADATA VALUES (1, 17001, 1, 1);
                INSERT INTO Z_PRIMARYKEY VALUES (17001, 'NSCKRecordMetadata', 0, 1);
                CREATE TABLE Z_EXTRA (A, B);
                CREATE VIRTUAL TABLE Z_Alpha_place USING RTREE (Z_PK, A, B);
                CREATE TRIGGER Z_RT_INSERT AFTER INSERT ON ZALPHA BEGIN INSERT INTO Z_Alpha_place VALUES (NEW.Z_PK, 1, 2); END
                """
        ),
        Variant(testDescription: "values that have no marker", sql: "UPDATE ZALPHA SET ZPHOTO = x'07070707'"),
        Variant(
            testDescription: "other columns, in another order",
            sql: "ALTER TABLE ZBETA ADD COLUMN ZOLD VARCHAR; UPDATE ZBETA SET ZOLD = 'kept'"
        ),
        Variant(
            testDescription: "no indexes",
            sql: "DROP INDEX IF EXISTS ZALPHA_ZNEXT_INDEX; DROP INDEX IF EXISTS ZBETA_Z_ENT_INDEX"
        ),
        Variant(testDescription: "texts beyond ASCII", sql: "UPDATE ZALPHA SET ZNAME = 'é€😀' || ZNAME"),
    ]

    @Test("A store of another form can be opened, read and changed, and is sound", arguments: variants)
    func variant(variant: Variant) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "variant-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appending(path: "Store.sqlite")
        let schema = try ModelFile.readModel(contents: Data(Self.contents.utf8), file: "test")
        let model = try NSManagedObjectModel(schema)
        try model.withStore(at: url) { context in
            let betas = (0..<4).map { number -> NSManagedObject in
                let beta = add(number == 3 ? "Gamma" : "Beta", context)
                beta.setValue("b\(number)", forKey: "name")
                return beta
            }
            var last: NSManagedObject?
            for number in 0..<3 {
                let alpha = add("Alpha", context)
                alpha.setValue("a\(number)", forKey: "name")
                alpha.setValue(Date(timeIntervalSinceReferenceDate: 5.5), forKey: "made")
                alpha.setValue(Data(repeating: 7, count: 4), forKey: "photo")
                alpha.setValue(NSOrderedSet(array: [betas[3], betas[number]]), forKey: "betas")
                last?.setValue(alpha, forKey: "next")
                last = alpha
            }
            try context.save()
        }
        let connection = try Connection(path: url.path)
        try connection.execute(variant.sql)
        connection.close()
        let before = StoreChecker().check(url, with: model)
        expectEqual(before.problems, [])
        try model.withStore(at: url) { context in
            let alphas = try all("Alpha", context)
            expectEqual(alphas.count, 3)
            for alpha in alphas {
                let name = try #require(alpha.value(forKey: "name") as? String)
                let names = (alpha.value(forKey: "betas") as? NSOrderedSet)?.array.compactMap {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
                expectEqual(names, ["b3", "b\(name.suffix(1))"])
                expectEqual(alpha.value(forKey: "photo") as? Data, Data(repeating: 7, count: 4))
            }
            try expectEqual(all("Gamma", context).count, 1)
            let first = try #require(alphas.first)
            first.setValue("changed", forKey: "name")
            first.setValue(NSOrderedSet(array: try all("Gamma", context)), forKey: "betas")
            let gamma = add("Gamma", context)
            gamma.setValue("new", forKey: "name")
            gamma.setValue(Set(alphas), forKey: "alphas")
            context.delete(try #require(alphas.last))
            try context.save()
        }
        try model.withStore(at: url) { context in
            try expectEqual(all("Alpha", context).count, 2)
            let new = try #require(try all("Gamma", context).first { $0.value(forKey: "name") as? String == "new" })
            expectEqual((new.value(forKey: "alphas") as? Set<NSManagedObject>)?.count, 2)
        }
        expectEqual(StoreChecker().check(url, with: model).problems, [])
    }

    private func add(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    }

    private func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try context.fetch(request)
    }
}
