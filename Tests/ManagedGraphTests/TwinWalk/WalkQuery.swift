// The fetches of the walk: each as a predicate for the framework and as a plain test of a row.
import Foundation
import ManagedGraph

/// A fetch: an entity, a test, a sort by name and serial number, and a limit.
struct WalkQuery: Hashable {
    var entity: String
    var test: WalkTest
    var isAscending = true
    var sortsByName = false
    var limit = 0
    var includesPending = true

    /// Whether a row matches; `source` provides its related rows.
    func admits(_ row: TwinRow, _ source: any PlainSource) -> Bool {
        guard WalkSchema.isKind(row.entity, of: entity) else { return false }
        func number(_ key: String) -> Double? {
            if case .number(let number)? = row.values[key] { return number }
            return nil
        }
        func text(_ row: TwinRow?) -> String? {
            if case .text(let text)? = row?.values["name"] { return text }
            return nil
        }
        switch test {
        case .all: return true
        case .name(let name): return text(row) == name
        case .nameContains(let part): return text(row)?.contains(part) ?? false
        case .countAbove(let count): return number("count").map { $0 > Double(count) } ?? false
        case .flagged: return number("flag") == 1
        case .withoutParent: return row.one["parent"] == nil
        case .inBox(let box): return row.one["box"] == box
        case .boxNamed(let name): return text(row.one["box"].flatMap(source.row)) == name
        case .tagged(let name): return (row.many["tags"] ?? []).contains { text(source.row($0)) == name }
        case .manyChildren(let count): return (row.many["children"] ?? []).count > count
        }
    }

    /// The predicate; nil if the box it refers to is not available.
    func predicate(box: (Int) -> NSManagedObject?) -> NSPredicate? {
        switch test {
        case .all: return NSPredicate(value: true)
        case .name(let name): return NSPredicate(format: "name == %@", name)
        case .nameContains(let part): return NSPredicate(format: "name CONTAINS %@", part)
        case .countAbove(let count): return NSPredicate(format: "count > %ld", count)
        case .flagged: return NSPredicate(format: "flag == YES")
        case .withoutParent: return NSPredicate(format: "parent == nil")
        case .inBox(let serial): return box(serial).map { NSPredicate(format: "box == %@", $0) }
        case .boxNamed(let name): return NSPredicate(format: "box.name == %@", name)
        case .tagged(let name): return NSPredicate(format: "ANY tags.name == %@", name)
        case .manyChildren(let count): return NSPredicate(format: "children.@count > %ld", count)
        }
    }

    /// Whether the test follows a relationship and so depends on unsaved values of other objects.
    var followsRelationships: Bool {
        switch test {
        case .boxNamed, .tagged, .manyChildren: true
        default: false
        }
    }
}
