// Drafts that ended processes have left beside a file.
import ExpectationSupport
import Foundation
import GraphArchives
import Testing

struct LeftoverTests {
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    @Test("Drafts of a file are removed after a day, and only these")
    func abandonedDrafts() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drafts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (one, two) = (UUID().uuidString, UUID().uuidString)
        let abandoned = [
            ".Notes.xml-\(one).new", "Notes.xml-\(one).new-wal", ".Notes.xml-\(one).migration",
            ".Notes.xml-\(one).import",
        ]
        let recent = ".Notes.xml-\(two).new"
        let others = ["Notes.xml", "Notes.xml-copy.new", ".Other.xml-\(one).new", "Notes.xml-\(one)", "Notes.xml-wal"]
        for name in abandoned + [recent] + others {
            let url = folder.appending(path: name)
            try Data("x".utf8).write(to: url)
            guard name != recent else { continue }
            let date = Date(timeIntervalSinceNow: -25 * 60 * 60)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
        }
        FilePlacement.removeAbandonedDrafts(of: folder.appending(path: "Notes.xml").path)
        let left = try names(folder)
        expectEqual(Set(left), Set(others + [recent]))
    }

    @Test(
        "The holder of a lock removes the folders that killed processes have left for the same work; others leave new ones"
    )
    func folders() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drafts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "Notes.sqlite").path
        let killed = try FilePlacement.makeFolder(for: .migration, of: store)
        let other = try FilePlacement.makeFolder(for: .migration, of: store)
        let neighbor = try FilePlacement.makeFolder(for: .migration, of: store + "-copy")
        let imported = try FilePlacement.makeFolder(for: .import, of: store)
        let draft = URL(filePath: FilePlacement.draftPath(of: store))
        try Data("x".utf8).write(to: draft)
        #expect(try Set(names(folder)) == Set([killed, other, neighbor, imported, draft].map(\.lastPathComponent)))
        let made = try FilePlacement.makeFolder(for: .migration, of: store, isLocked: true)
        try expectEqual(Set(names(folder)), Set([made, neighbor, imported, draft].map(\.lastPathComponent)))
    }

    @Test("The draft of a file with a long name has a name that file systems take, and is removed like others")
    func longName() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drafts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = folder.appending(path: String(repeating: "語", count: 80)).path
        let draft = FilePlacement.draftPath(of: target)
        try Data("x".utf8).write(to: URL(filePath: draft))
        let date = Date(timeIntervalSinceNow: -25 * 60 * 60)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: draft)
        FilePlacement.removeAbandonedDrafts(of: target)
        try expectEqual(names(folder), [])
    }

    @Test("A second name of the file itself is removed at once")
    func secondName() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drafts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = folder.appending(path: "Notes.sqlite")
        let draft = folder.appending(path: "Notes.sqlite-\(UUID().uuidString).new")
        let running = folder.appending(path: "Notes.sqlite-\(UUID().uuidString).new")
        for url in [store, running] { try Data("x".utf8).write(to: url) }
        try FileManager.default.linkItem(at: store, to: draft)
        FilePlacement.removeAbandonedDrafts(of: store.path)
        let left = try names(folder)
        expectEqual(Set(left), [store.lastPathComponent, running.lastPathComponent])
    }
}
