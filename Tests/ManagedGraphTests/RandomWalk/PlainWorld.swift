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

    mutating func setPartner(_ number: Int, _ partner: Int?) {
        if rows[number]?.partner == partner { return }
        if let former = rows[number]?.partner { rows[former]?.partner = nil }
        if let partner, let former = rows[partner]?.partner { rows[former]?.partner = nil }
        rows[number]?.partner = partner
        if let partner { rows[partner]?.partner = number }
    }

    /// Deletes with the delete rules: a box cascades to its items, all other relationships nullify.
    mutating func delete(_ number: Int) {
        guard let row = rows[number] else { return }
        let deletedItems = row.kind == .box ? items(of: number) : []
        rows[number] = nil
        for remaining in rows.keys {
            if rows[remaining]?.box == number { rows[remaining]?.box = nil }
            if rows[remaining]?.partner == number { rows[remaining]?.partner = nil }
            if rows[remaining]?.parent == number { rows[remaining]?.parent = nil }
            rows[remaining]?.tags.remove(number)
            rows[remaining]?.queue.removeAll { $0 == number }
        }
        for item in deletedItems { delete(item) }
    }
}
