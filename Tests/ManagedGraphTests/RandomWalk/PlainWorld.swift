// The expected state of contexts, computed without the framework: rows in dictionaries, relationships maintained by
// hand on both sides. One world represents the store; each context has its own view.
import Foundation

/// All objects by number.
struct PlainWorld: Equatable {
    var rows: [Int: PlainRow] = [:]

    func numbers(_ kind: PlainRow.Kind) -> [Int] { rows.filter { $0.value.kind == kind }.keys.sorted() }

    /// The members of relationships stored on the other side.
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

    /// Deletes with the delete rules: a box cascades to its items, all other relationships nullify.
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
