// Random walks over ordered relationships, compared with plain arrays: one-to-many and many-to-many, set from either
// side, read and unread, saved and read again by other contexts.
import ExpectationSupport
import Foundation
import ManagedGraph
import TestSupport
import Testing

@testable import StackSupport

struct OrderedWalks {
    /// The relationships as arrays of names: `items` with one owner each, `tags` with their `tagged`, both ordered.
    private struct Plain {
        var items: [String: [String]] = [:]
        var tags: [String: [String]] = [:]
        var tagged: [String: [String]] = [:]

        mutating func move(_ item: String, to list: String?) {
            if let list, items[list]?.contains(item) == true { return }
            for key in items.keys { items[key]?.removeAll { $0 == item } }
            if let list { items[list, default: []].append(item) }
        }

        mutating func setItems(_ list: String, _ members: [String]) {
            for item in items[list] ?? [] where !members.contains(item) { move(item, to: nil) }
            for item in members { move(item, to: list) }
            items[list] = members
        }

        mutating func setTags(_ list: String, _ members: [String]) {
            let old = tags[list] ?? []
            for tag in old where !members.contains(tag) { tagged[tag]?.removeAll { $0 == list } }
            for tag in members where !old.contains(tag) { tagged[tag, default: []].append(list) }
            tags[list] = members
        }

        mutating func setTagged(_ tag: String, _ owners: [String]) {
            let old = tagged[tag] ?? []
            for list in old where !owners.contains(list) { tags[list]?.removeAll { $0 == tag } }
            for list in owners where !old.contains(list) { tags[list, default: []].append(tag) }
            tagged[tag] = owners
        }

        mutating func delete(_ item: String) {
            move(item, to: nil)
            setTagged(item, [])
            tagged[item] = nil
        }
    }

    private static let lists = ["K", "L", "M"]

    private static func model() -> NSManagedObjectModel {
        RelationsModel.make(
            (.many("List.items", ordered: true), .one("Item.list")),
            (.many("List.tags", ordered: true), .many("Item.tagged", ordered: true))
        )
    }

    private func compare(_ context: NSManagedObjectContext, _ plain: Plain, _ names: [String], _ note: String) throws {
        for list in Self.lists {
            let object = try context.find("List", list)
            expectEqual(object.joinedNames("items"), (plain.items[list] ?? []).joined(), "items of \(list) \(note)")
            expectEqual(object.joinedNames("tags"), (plain.tags[list] ?? []).joined(), "tags of \(list) \(note)")
        }
        for name in names {
            let object = try context.find("Item", name)
            let owner = plain.items.first { $0.value.contains(name) }?.key
            expectEqual(object.joinedNames("list"), owner ?? "", "list of \(name) \(note)")
            expectEqual(object.joinedNames("tagged"), (plain.tagged[name] ?? []).joined(), "tagged of \(name) \(note)")
        }
    }

    @Test(arguments: 1...30)
    func relationshipsAgreeWithArrays(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let stack = try Stack(model: Self.model())
        var plain = Plain()
        var names = "abcdef".map(String.init)
        var context = stack.context
        try context.performAndWait { () throws in
            for name in Self.lists { _ = try context.make("List", name) }
            for name in names { _ = try context.make("Item", name) }
            try context.save()
        }
        var log: [String] = []
        for step in 0..<40 {
            let list = Self.lists.randomElement(using: &random) ?? ""
            let item = names.randomElement(using: &random) ?? ""
            let some = Array(names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)))
            let operation = Int.random(in: 0..<11, using: &random)
            log.append("\(operation) \(list) \(item) \(some.joined())")
            let note = "seed \(seed) step \(step): \(log.joined(separator: "; "))"
            try context.performAndWait { () throws in
                let object = try context.find("List", list)
                let member = try context.find("Item", item)
                switch operation {
                case 0:
                    member.setValue(object, forKey: "list")
                    plain.move(item, to: list)
                case 1:
                    member.setValue(nil, forKey: "list")
                    plain.move(item, to: nil)
                case 2:
                    object.relate("items", try some.map { try context.find("Item", $0) })
                    plain.setItems(list, some)
                case 3:
                    object.relate("tags", try some.map { try context.find("Item", $0) })
                    plain.setTags(list, some)
                case 4:
                    let owners = Array(Self.lists.shuffled(using: &random).prefix(2))
                    member.relate("tagged", try owners.map { try context.find("List", $0) })
                    plain.setTagged(item, owners)
                case 5:
                    let key = Bool.random(using: &random) ? "items" : "tags"
                    let view = object.mutableOrderedSetValue(forKey: key)
                    if view.count > 1 { view.moveObjects(at: [view.count - 1], to: 0) }
                    var members = (key == "items" ? plain.items[list] : plain.tags[list]) ?? []
                    if members.count > 1 { members.insert(members.removeLast(), at: 0) }
                    if key == "items" { plain.items[list] = members } else { plain.tags[list] = members }
                case 6:
                    object.addToManaged(member, for: ManagedProperty("items"))
                    plain.move(item, to: list)
                case 7:
                    // An existing member keeps its position.
                    if plain.tags[list]?.contains(item) != true {
                        object.addToManaged(member, for: ManagedProperty("tags"))
                        plain.setTags(list, (plain.tags[list] ?? []) + [item])
                    }
                case 8:
                    object.removeFromManaged(member, for: ManagedProperty("tags"))
                    plain.setTags(list, (plain.tags[list] ?? []).filter { $0 != item })
                case 9 where names.count > 3:
                    context.delete(member)
                    context.processPendingChanges()
                    plain.delete(item)
                    names.removeAll { $0 == item }
                default:
                    if Bool.random(using: &random) { try compare(context, plain, names, note) }
                    try context.save()
                }
            }
            if operation == 10 {
                let fresh = stack.otherContext()
                try fresh.performAndWait { () throws in try compare(fresh, plain, names, "stored, \(note)") }
                // Continue with a context that has read nothing.
                if Bool.random(using: &random) { context = stack.otherContext() }
            }
        }
        try context.performAndWait { () throws in
            try compare(context, plain, names, "at the end, seed \(seed): \(log.joined(separator: "; "))")
        }
    }
}
