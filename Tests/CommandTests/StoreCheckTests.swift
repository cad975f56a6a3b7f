// Tests `managedgraph store check`: sound stores are reported as sound, each kind of damage is found, and no files are
// left.
import ExpectationSupport
import Foundation
import GraphSQLite
import ManagedGraph
import Testing

struct StoreCheckTests {
    @Test func aSoundStoreHasNoProblemsAndIsReadWhole() async throws {
        let sample = try SampleStore()
        let before = try sample.content()
        let (report, status) = try await sample.check("--model", sample.model.path)
        expectEqual(report["problems"] as? [String], [])
        expectEqual(report["notes"] as? [String], [])
        expectEqual(report["ok"] as? Bool, true)
        expectEqual(status, 0)
        expectEqual(report["model"] as? String, sample.model.path)
        expectEqual(report["entities"] as? [String: Int], ["Badge": 2, "Item": 4, "Owner": 2, "Special": 2, "Tag": 1])
        // Items to owners and back, badges to owners and back, items to the tag and back.
        expectEqual(report["relationships"] as? Int, 6 + 6 + 2 + 2 + 6 + 6)
        expectEqual(report["external"] as? Int, 2)
        expectEqual((report["history"] as? [String: Int])?["transactions"], 1)
        try expectEqual(sample.content(), before)
    }

    @Test(
        "Each kind of damage is a problem that names its place",
        arguments: [
            ("UPDATE ZITEM SET ZOWNER = 99 WHERE Z_PK = 2", "Item.owner, row 2: it leads to the row 99 of Owner"),
            ("UPDATE ZITEM SET Z_ENT = 77 WHERE Z_PK = 2", "row 2: the entity number 77 is none of this table's"),
            ("UPDATE ZITEM SET ZTITLE = NULL WHERE Z_PK = 2", "Item.title, row 2: the property is not optional"),
            ("UPDATE ZITEM SET ZSIZE = 70000 WHERE Z_PK = 2", "Item.size, row 2: 70000 (integer) is not an Integer 16"),
            ("UPDATE ZITEM SET ZSIZE = 'much' WHERE Z_PK = 2", "Item.size, row 2: \"much\" (text)"),
            ("UPDATE ZITEM SET ZFLAG = 7 WHERE Z_PK = 2", "Item.flag, row 2: 7 (integer) is not a Boolean"),
            ("UPDATE ZITEM SET ZMADE = 'now' WHERE Z_PK = 2", "Item.made, row 2: \"now\" (text) is not a Date"),
            ("UPDATE ZITEM SET ZUID = x'0102' WHERE Z_PK = 2", "Item.uid, row 2: 2 bytes (blob) is not a UUID"),
            (
                "UPDATE ZITEM SET ZTITLE = CAST(x'61FF' AS TEXT) WHERE Z_PK = 2",
                "Item.title, row 2: the text is not UTF-8"
            ),
            ("UPDATE ZITEM SET ZPHOTO = x'026E6F7468696E67' WHERE Z_PK = 2", "is followed by no name"),
            (
                "UPDATE ZITEM SET ZPHOTO = CAST('\u{2}0A8C9C1E-6A1C-4D55-9D06-5D5B0F3C7A11' || x'00' AS BLOB) WHERE Z_PK = 2",
                "Item.photo, row 2: the file 0A8C9C1E-6A1C-4D55-9D06-5D5B0F3C7A11 of the value is missing"
            ),
            ("UPDATE ZITEM SET ZPHOTO = NULL", "beside the store belongs to no row"),
            ("UPDATE ZITEM SET Z_FOK_OWNER = NULL WHERE Z_PK = 2", "have no place in the order"),
            ("UPDATE ZITEM SET Z_FOK_OWNER = 5 WHERE ZOWNER = 1", "have the same place 5 in the order"),
            ("UPDATE ZBADGE SET ZOWNER = NULL WHERE Z_PK = 1", "Owner.badge, row"),
            ("UPDATE ZOWNER SET ZCOUNT = 17 WHERE Z_PK = 1", "Owner.count, row 1: it is 17, but should be 3"),
            ("DROP INDEX Z_Item_UNIQUE_uid; UPDATE ZITEM SET ZUID = zeroblob(16)", "is to be unique"),
            ("DELETE FROM ZTAG", "Tag has no row 1"),
            ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Item'", "says that 1 is the last key"),
            ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'", "Tag: Z_PRIMARYKEY has no row for the entity"),
            ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 44 WHERE Z_NAME = 'Tag'", "below the entity number 44"),
            ("ALTER TABLE ZOWNER DROP COLUMN ZNAME", "the table ZOWNER has no column ZNAME"),
            ("ALTER TABLE ZTAG RENAME TO ZTAGS", "Tag: the table ZTAG is missing"),
            ("DELETE FROM ATRANSACTION", "ACHANGE, row 1: its transaction 1 is not there"),
            ("UPDATE ACHANGE SET ZENTITY = 500 WHERE Z_PK = 1", "ACHANGE, row 1: the entity number 500 is unknown"),
            ("DELETE FROM ATRANSACTIONSTRING", "ATRANSACTION.ZBUNDLEIDTS, row 1: the text"),
            ("UPDATE Z_METADATA SET Z_UUID = 'one'", "is not a UUID"),
            ("UPDATE Z_METADATA SET Z_PLIST = x'00'", "The store's metadata are not a property list"),
        ]
    )
    func damage(sql: String, expected: String) async throws {
        let sample = try SampleStore()
        try sample.damage(sql)
        let before = try sample.content()
        let problems = try await sample.problems()
        #expect(problems.contains { $0.contains(expected) }, "\(problems)")
        try expectEqual(sample.content(), before)
    }

    @Test func aValueThatTheModelRefusesIsANote() async throws {
        let sample = try SampleStore()
        try sample.damage("UPDATE ZITEM SET ZTITLE = 'x' WHERE Z_PK = 2")
        let (report, status) = try await sample.check("--model", sample.model.path)
        expectEqual(report["ok"] as? Bool, true)
        expectEqual(status, 0)
        let notes = try #require(report["notes"] as? [String])
        #expect(notes.contains { $0.contains("Item.title, row 2") }, "\(notes)")
    }

    @Test(
        "A write-ahead log is read, even without its index, and no file is created or changed",
        arguments: [false, true]
    )
    func log(isReadOnlyFolder: Bool) async throws {
        let sample = try SampleStore()
        let other = sample.folder.appending(path: "other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let copy = other.appending(path: "Copy.sqlite")
        let connection = try Connection(path: sample.store.path)
        try connection.execute("PRAGMA wal_autocheckpoint = 0; INSERT INTO ZTAG(Z_PK, Z_ENT, Z_OPT) VALUES(2, 5, 1)")
        try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Tag'")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: sample.store.path + suffix, toPath: copy.path + suffix)
        }
        connection.close()
        let support = sample.folder.appending(path: ".Store_SUPPORT")
        try FileManager.default.moveItem(at: support, to: other.appending(path: ".Copy_SUPPORT"))
        if isReadOnlyFolder { chmod(other.path, 0o500) }
        let before = try sample.content()
        let command = try await Command.run(["check", copy.path, "--json", "--model", sample.model.path], of: "store")
        let report = try #require(command.objects.first)
        expectEqual(report["problems"] as? [String], [])
        expectEqual((report["entities"] as? [String: Int])?["Tag"], 2)
        try expectEqual(sample.content(), before)
        chmod(other.path, 0o700)
    }

    @Test func aModelBesideTheStoreIsFoundAndAnotherOneIsRefused() async throws {
        let sample = try SampleStore()
        let wrong = sample.folder.appending(path: "Wrong.xcdatamodel")
        try FileManager.default.createDirectory(at: wrong, withIntermediateDirectories: true)
        try Data("<model type=\"com.apple.IDECoreDataModeler.DataModel\"><entity name=\"Tag\"/></model>".utf8)
            .write(to: wrong.appending(path: "contents"))
        let (report, status) = try await sample.check("--model", wrong.path)
        expectEqual(status, 1)
        let problems = try #require(report["problems"] as? [String])
        #expect(
            problems.contains { $0.contains("is not the one the store was made with: changed: Tag") },
            "\(problems)"
        )
        #expect(report["model"] is String)
    }

    @Test func aStoreOfAModelWithoutEntitiesHasNoProblems() async throws {
        let sample = try SampleStore()
        let store = sample.folder.appending(path: "Empty.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: store))
        let command = try await Command.run(["check", store.path, "--json"], of: "store")
        expectEqual(command.objects.first?["problems"] as? [String], [])
        expectEqual(command.status, 0)
    }

    @Test func aFileThatIsNotAStoreIsAProblemAndTheOthersAreStillChecked() async throws {
        let sample = try SampleStore()
        let text = sample.folder.appending(path: "text")
        try Data("words".utf8).write(to: text)
        let missing = sample.folder.appending(path: "missing").path
        let command = try await Command.run(
            ["check", text.path, missing, sample.store.path, "--json", "--model", sample.model.path],
            of: "store"
        )
        expectEqual(command.status, 1)
        expectEqual(command.objects.map { $0["ok"] as? Bool }, [false, false, true])
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test func peopleGetALineForASoundStoreAndOneForEachProblem() async throws {
        let sample = try SampleStore()
        let sound = try await Command.run(["check", sample.store.path, "--model", sample.model.path], of: "store")
        #expect(sound.output.hasPrefix("\(sample.store.path): ok (11 objects of 5 entities, 28 relationships, "))
        expectEqual(sound.output.split(separator: "\n").count, 1)
        try sample.damage("UPDATE ZITEM SET ZSIZE = 70000 WHERE Z_PK = 2")
        let broken = try await Command.run(["check", sample.store.path, "--model", sample.model.path], of: "store")
        #expect(broken.output.contains("\n  problem: Item.size, row 2:"))
        #expect(!broken.output.contains("\u{1B}"))
        expectEqual(broken.status, 1)
    }

    @Test func infoShowsVersionsRowsAndTheLocationOfTheModel() async throws {
        let sample = try SampleStore()
        let before = try sample.content()
        let command = try await Command.run(
            ["info", sample.store.path, "--json", "--model", sample.model.path],
            of: "store"
        )
        let facts = try #require(command.objects.first, "\(command.errors)")
        expectEqual(command.status, 0)
        expectEqual(facts["type"] as? String, "SQLite")
        #expect(UUID(uuidString: facts["uuid"] as? String ?? "") != nil)
        expectEqual(facts["framework"] as? Int, 1345)
        expectEqual(facts["hashesVersion"] as? Int, 3)
        expectEqual(facts["identifiers"] as? [String], ["one"])
        expectEqual(facts["pageSize"] as? Int, 4096)
        expectEqual(facts["journalMode"] as? String, "wal")
        expectEqual((facts["hashes"] as? [String: String])?.count, 5)
        expectEqual(facts["entities"] as? [String: Int], ["Badge": 2, "Item": 4, "Owner": 2, "Special": 2, "Tag": 1])
        expectEqual((facts["history"] as? [String: Int])?["transactions"], 1)
        expectEqual(facts["external"] as? Int, 2)
        #expect(facts["size"] as? Int ?? 0 > 400_000)
        expectEqual(facts["model"] as? String, sample.model.path)
        try expectEqual(sample.content(), before)
        let text = try await Command.run(["info", sample.store.path], of: "store")
        #expect(text.output.contains("  framework version: 1345\n"))
        let none = try await Command.run(["info", sample.folder.path, "--json"], of: "store")
        expectEqual(none.status, 1)
        #expect(none.objects.first?["error"] is String)
    }
}
