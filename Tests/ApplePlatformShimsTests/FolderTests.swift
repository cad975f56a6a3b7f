// The folders of users and groups by Apple's names.
import ApplePlatformShims
import ExpectationSupport
import Foundation
import Testing

struct FolderTests {
    @Test func programsOfAGroupShareAFolder() throws {
        let name = "group.org.example.\(UUID().uuidString)"
        let folder = try #require(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name))
        defer { try? FileManager.default.removeItem(at: folder) }
        expectEqual(folder, FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name))
        #expect(folder.path.hasPrefix(URL.applicationSupportDirectory.path))
        let file = folder.appendingPathComponent("Notes.sqlite")
        try Data([1]).write(to: file)
        try expectEqual(Data(contentsOf: file), Data([1]))
    }

    @Test(arguments: ["", ".", "..", "a/b", "../a", "a\0b"]) func aNameThatLeadsElsewhereHasNoFolder(_ name: String) {
        expectNil(FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: name))
    }

    @Test func otherPlatformsHaveNoAccountOfICloud() {
        expectNil(FileManager.default.ubiquityIdentityToken as AnyObject?)
        expectNil(FileManager.default.url(forUbiquityContainerIdentifier: nil))
    }

    @Test func eachFolderOfTheUserIsAFileAddress() {
        let folders: [URL] = [
            .documentsDirectory, .applicationSupportDirectory, .cachesDirectory, .libraryDirectory, .desktopDirectory,
            .downloadsDirectory, .moviesDirectory, .musicDirectory, .picturesDirectory,
        ]
        for folder in folders { #expect(folder.isFileURL && folder.path.hasPrefix("/"), "\(folder)") }
        #expect(URL.documentsDirectory != URL.cachesDirectory)
    }
}
