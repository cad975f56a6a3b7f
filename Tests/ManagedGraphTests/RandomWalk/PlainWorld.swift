// What contexts should show, computed without the framework: rows in dictionaries, relationships kept on both sides by
// hand. One world is a store; each context has a view of its own.
import Foundation

/// One object as anyone sees it.
struct PlainRow: Equatable {
    enum Kind: String, CaseIterable { case item = "Item", box = "Box", tag = "Tag" }
    var kind: Kind
    var name: String?
    var count: Int64 = 0
    var box: Int?
    var partner: Int?
    var parent: Int?
    var tags: Set<Int> = []
    /// Of a box: items in order, each in any number of queues.
    var queue: [Int] = []
}

/// All objects by their number.
struct PlainWorld: Equatable {
    var rows: [Int: PlainRow] = [:]

    func numbers(_ kind: PlainRow.Kind) -> [Int] { rows.filter { $0.value.kind == kind }.keys.sorted() }

    /// The members of what is kept on the other side.
    func items(of box: Int) -> Set<Int> { Set(rows.filter { $0.value.box == box }.keys) }
    func children(of item: Int) -> Set<Int> { Set(rows.filter { $0.value.parent == item }.keys) }
    func tagged(_ tag: Int) -> Set<Int> { Set(rows.filter { $0.value.tags.contains(tag) }.keys) }

    mutating func setPartner(_ one: Int, _ other: Int?) {
        if rows[one]?.partner == other { return }
        if let former = rows[one]?.partner { rows[former]?.partner = nil }
        if let other, let former = rows[other]?.partner { rows[former]?.partner = nil }
        rows[one]?.partner = other
        if let other { rows[other]?.partner = one }
    }

    /// Deletes with the rules: a box takes its items along, everything else lets go.
    mutating func delete(_ number: Int) {
        guard let row = rows[number] else { return }
        let taken = row.kind == .box ? items(of: number) : []
        rows[number] = nil
        for other in rows.keys {
            if rows[other]?.box == number { rows[other]?.box = nil }
            if rows[other]?.partner == number { rows[other]?.partner = nil }
            if rows[other]?.parent == number { rows[other]?.parent = nil }
            rows[other]?.tags.remove(number)
            rows[other]?.queue.removeAll { $0 == number }
        }
        for item in taken { delete(item) }
    }
}

/// A context's view: what it shows, and which attributes it has changed and not saved.
struct PlainContext: Equatable {
    struct Cell: Hashable {
        var number: Int
        var key: String
    }
    var world = PlainWorld()
    var changed: Set<Cell> = []
    /// Whether anything but attributes of stored objects is unsaved.
    var hasStructure = false
    /// Views to which undo goes back, and those to which redo goes.
    var undone: [PlainSnapshot] = []
    var redone: [PlainSnapshot] = []

    var isClean: Bool { changed.isEmpty && !hasStructure }
}

struct PlainSnapshot: Equatable {
    var world: PlainWorld
    var changed: Set<PlainContext.Cell>
    var hasStructure: Bool
}
