// Properties as apps declare them against the model: private to their file, and not optional without a value.
import ExpectationSupport
import Foundation
import GraphSupport
import ManagedGraph
import Testing

@testable import StackSupport

/// A reply, whose state is private to this file, so that generated code cannot list its key path.
final class Reply: NSManagedObject {
    enum Keys {
        static let text = ManagedProperty("text")
        static let state = ManagedProperty("state")
        static let isHidden = ManagedProperty("isHidden")
        static let author = ManagedProperty("author")
        static let sentAt = ManagedProperty("sentAt")
    }
    var text: String? { managedValue(for: Keys.text) }
    fileprivate var state: String? {
        get { managedValue(for: Keys.state) }
        set { setManagedValue(newValue, for: Keys.state) }
    }
    fileprivate var isHidden: Bool { managedValue(for: Keys.isHidden) }
    fileprivate var shout: String { (state ?? "").uppercased() }
    /// Declared as always there, which the model does not promise.
    var author: Author {
        get { managedValue(for: Keys.author) }
        set { setManagedValue(newValue, for: Keys.author) }
    }
    var sentAt: NSDate { managedValue(for: Keys.sentAt) }

    override class func managedKeyPaths() -> [ManagedKeyPath] {
        [ManagedKeyPath("text", \Reply.text, \Reply?.?.text)]
    }

    func changeState(_ newState: String) {
        willChangeValue(for: \.state)
        setPrimitiveValue(newState, forKey: "state")
        didChangeValue(for: \.state)
    }
}

final class Author: NSManagedObject {
    static let name = ManagedProperty("name")
    var name: String {
        get { managedValue(for: Self.name) }
        set { setManagedValue(newValue, for: Self.name) }
    }
}

@Suite("Properties that are private, or not optional and nil")
struct PrivatePropertyTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        let reply = NSEntityDescription("Reply", type: Reply.self)
        let author = NSEntityDescription("Author", type: Author.self)
        author.properties = [NSAttributeDescription("name")]
        reply.properties = [
            NSAttributeDescription("text"), NSAttributeDescription("state"),
            NSAttributeDescription("isHidden", .booleanAttributeType, default: true),
            NSAttributeDescription("isOld", .booleanAttributeType, default: true),
            NSAttributeDescription("sentAt", .dateAttributeType),
        ]
        author.relate("replies", toMany: true, to: reply, "author")
        stack = try Stack(model: NSManagedObjectModel([reply, author]))
    }

    @Test("Key paths of private attributes sort and name expressions")
    func names() throws {
        try context.run { () throws in
            for state in ["b", "c", "a"] { Reply(context: context).state = state }
            try context.save()
            let request = NSFetchRequest<Reply>(entityName: "Reply")
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Reply.state, ascending: false)]
            try expectEqual(context.fetch(request).map(\.state), ["c", "b", "a"])
        }
        expectEqual(NSExpression(forKeyPath: \Reply.state).keyPath, "state")
        // Another attribute of the type has the same default value.
        expectEqual(Reply.managedKey(for: \Reply.isHidden), "isHidden")
        expectEqual(Reply.managedKey(for: \Reply.text), "text")
        expectNil(Reply.managedKey(for: \Reply.shout))
    }

    @Test("Changes are announced by key path")
    func announcements() throws {
        try context.run { () throws in
            let reply = Reply(context: context)
            try context.save()
            reply.changeState("sent")
            expectEqual(reply.changedValues() as? [String: String], ["state": "sent"])
        }
    }

    @Test("A missing destination or date reads as one without values, as Apple's null references do")
    func missingValues() throws {
        try context.run { () throws in
            let reply = Reply(context: context)
            #expect(!reply.author.hasChanges && !reply.author.isDeleted)
            expectNil(reply.author.managedObjectContext)
            expectEqual(reply.author.name, "")
            reply.author.name = "unsaved"
            expectEqual(reply.sentAt.timeIntervalSince1970, 0)
            expectNil(reply.value(forKey: "author"))
            try context.save()
            try expectEqual(context.count(for: NSFetchRequest<Author>(entityName: "Author")), 0)
            let author = Author(context: context)
            author.name = "a"
            reply.author = author
            #expect(reply.author === author)
            try context.save()
            context.delete(author)
            try context.save()
            #expect(!reply.author.hasChanges)
        }
    }
}
