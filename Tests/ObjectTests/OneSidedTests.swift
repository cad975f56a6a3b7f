import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

struct RelationshipsWithoutInverse {
    private func model(ordered: Bool) -> NSManagedObjectModel {
        let album = NSEntityDescription("Album")
        let photo = NSEntityDescription("Photo")
        album.properties = [
            NSAttributeDescription("title"),
            NSRelationshipDescription("photos", to: photo, toMany: true, ordered: ordered),
        ]
        photo.properties = [NSAttributeDescription("name")]
        return NSManagedObjectModel([album, photo])
    }

    @Test(arguments: [false, true])
    func membersAreStoredAndTakenOutAgain(_ isOrdered: Bool) throws {
        let stack = try Stack(model: model(ordered: isOrdered))
        try stack.context.run {
            let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: stack.context)
            let photos = ["c", "a", "b"].map { name in stack.context.make("Photo", ["name": name]) }
            album.setValue(isOrdered ? NSOrderedSet(array: photos) : NSSet(array: photos), forKey: "photos")
            try stack.context.save()
            try expectEqual(names(in: stack, ordered: isOrdered), (isOrdered ? ["c", "a", "b"] : ["a", "b", "c"]))
            album.setValue(
                isOrdered ? NSOrderedSet(array: [photos[2], photos[0]]) : NSSet(array: [photos[2], photos[0]]),
                forKey: "photos"
            )
            try stack.context.save()
            try expectEqual(names(in: stack, ordered: isOrdered), (isOrdered ? ["b", "c"] : ["b", "c"]))
        }
    }

    @Test("Members of deleted objects belong to none", arguments: [1, 40], [false, true])
    func deletedOwners(_ count: Int, _ isBatch: Bool) throws {
        let stack = try Stack(model: model(ordered: true))
        try stack.context.run {
            let albums = (0...count).map { _ in
                let album = NSEntityDescription.insertNewObject(forEntityName: "Album", into: stack.context)
                album.setValue(NSOrderedSet(array: [stack.context.make("Photo", [:])]), forKey: "photos")
                return album
            }
            try stack.context.save()
            if isBatch {
                try stack.context.execute(NSBatchDeleteRequest(objectIDs: albums.dropLast().map(\.objectID)))
            } else {
                for album in albums.dropLast() { stack.context.delete(album) }
                try stack.context.save()
            }
            try expectEqual(
                stack.rows("SELECT count(*), count(Z1PHOTOS), count(Z_FOK_1PHOTOS) FROM ZPHOTO"),
                [[.integer(Int64(count) + 1), .integer(1), .integer(1)]]
            )
        }
    }

    /// The members in a fresh context.
    private func names(in stack: Stack, ordered: Bool) throws -> [String] {
        let context = stack.otherContext()
        return try context.run {
            let album = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Album")).first)
            let members = album.value(forKey: "photos")
            let objects = ordered ? (members as? NSOrderedSet)?.array : (members as? NSSet)?.allObjects
            let names = (objects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
            return ordered ? names : names.sorted()
        }
    }
}
