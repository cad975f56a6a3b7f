// Compares two keyed archives as graphs: it follows all references from the top and ignores object numbers and the
// order of sets and dictionaries. For tests.
import Foundation
import GraphArchives

/// Finds the differences between two archives.
struct ArchiveComparison {
    private let left: KeyedArchive
    private let right: KeyedArchive
    private var seen: Set<[Int]> = []
    private(set) var differences: [String] = []

    init(_ left: KeyedArchive, _ right: KeyedArchive) {
        self.left = left
        self.right = right
        compare(left.top["root"], right.top["root"], "")
    }

    private mutating func compare(_ one: ListValue?, _ other: ListValue?, _ path: String) {
        guard let one, let other else {
            differences.append("\(path): only in \(one == nil ? "the second" : "the first")")
            return
        }
        guard case .reference(let first) = one, case .reference(let second) = other else {
            return compareValues(one, other, path)
        }
        guard seen.insert([first, second]).inserted else { return }
        guard let object = left.object(one), let counterpart = right.object(other) else {
            return compareValues(left.objects[first], right.objects[second], path)
        }
        let classes = (left.classes(of: object), right.classes(of: counterpart))
        if classes.0 != classes.1 {
            differences.append("\(path): \(classes.0.first ?? "") and \(classes.1.first ?? "")")
            if !Self.areCollections(classes) { return }
        }
        let name = Self.name(object, left) ?? Self.name(counterpart, right)
        let place = name.map { "\(path){\($0)}" } ?? path
        if classes.0.first == "NSKnownKeysDictionary1" {
            return compareMembers(Self.named(fixed: object, left), Self.named(fixed: counterpart, right), place)
        }
        if object.entries["NS.keys"] != nil {
            return compareMembers(Self.named(object, left), Self.named(counterpart, right), place)
        }
        if classes.0.contains("NSSet") {
            return compareMembers(Self.named(members: object, left), Self.named(members: counterpart, right), place)
        }
        for key in Set(object.entries.keys).union(counterpart.entries.keys).subtracting(["$class"]).sorted() {
            compare(object.entries[key], counterpart.entries[key], "\(place).\(key)")
        }
    }

    private mutating func compareMembers(_ one: [String: ListValue], _ other: [String: ListValue], _ path: String) {
        for key in Set(one.keys).union(other.keys).sorted() { compare(one[key], other[key], "\(path)[\(key)]") }
    }

    private mutating func compareValues(_ one: ListValue, _ other: ListValue, _ path: String) {
        if case .array(let members) = one, case .array(let counterparts) = other {
            if members.count != counterparts.count {
                differences.append("\(path): \(members.count) and \(counterparts.count) members")
            }
            for (index, pair) in zip(members, counterparts).enumerated() {
                compare(pair.0, pair.1, "\(path)[\(index)]")
            }
            return
        }
        let texts = (Self.text(one, left), Self.text(other, right))
        if texts.0 != texts.1 { differences.append("\(path): \(texts.0) and \(texts.1)") }
    }

    private static func text(_ value: ListValue, _ archive: KeyedArchive) -> String {
        if case .reference = value {
            return archive.text(value) ?? "\(archive.resolve(value).map { "\($0)" } ?? "nil")"
        }
        return "\(value)"
    }

    private static func areCollections(_ classes: ([String], [String])) -> Bool {
        ["NSArray", "NSSet", "NSDictionary"].contains { classes.0.contains($0) && classes.1.contains($0) }
    }

    private static func name(_ object: KeyedArchive.Object, _ archive: KeyedArchive) -> String? {
        archive.text("NSEntityName", of: object) ?? archive.text("NSPropertyName", of: object)
    }

    private static func named(_ dictionary: KeyedArchive.Object, _ archive: KeyedArchive) -> [String: ListValue] {
        Dictionary(archive.pairs(dictionary).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private static func named(fixed: KeyedArchive.Object, _ archive: KeyedArchive) -> [String: ListValue] {
        let keys = archive.object("searchMapping", of: fixed).flatMap { archive.object("keys", of: $0) }
        let values = archive.members(archive.object("values", of: fixed))
        let names = archive.members(keys).compactMap { archive.text($0) }
        return Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
    }

    private static func named(members set: KeyedArchive.Object, _ archive: KeyedArchive) -> [String: ListValue] {
        let pairs = archive.members(set).map { member in
            (archive.text(member) ?? archive.object(member).flatMap { name($0, archive) } ?? "", member)
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
