// The store of the plain model.
import Foundation

/// The committed state: attributes and to-one relationships by object, pairs of many-to-many relationships, orders.
final class PlainStore: PlainSource {
    private(set) var rows: [Int: TwinRow] = [:]
    /// Whether a deletion clears the references of other rows, as foreign keys of a database do.
    private let clearsReferences: Bool
    /// Objects that were ever saved.
    private(set) var everSaved: Set<Int> = []
    /// Pairs by table, named after the alphabetically first relationship; source before destination.
    private var pairs: [String: Set<[Int]>] = [:]
    /// The order of members by relationship and owner; nil if it is uncertain.
    private var orders: [String: [Int: [Int]]] = [:]

    init(clearsReferences: Bool) { self.clearsReferences = clearsReferences }

    /// The table of a many-to-many relationship, and whether the relationship is its source.
    static func table(_ relationship: WalkRelationship) -> (name: String, isSource: Bool) {
        let name = relationship.name + "/" + relationship.inverse
        let inverse = relationship.inverse + "/" + relationship.name
        return name < inverse ? (name, true) : (inverse, false)
    }

    func row(_ serial: Int) -> TwinRow? {
        guard var row = rows[serial] else { return nil }
        for relationship in WalkSchema.relationships(row.entity) where relationship.isToMany {
            let members = members(serial, relationship)
            row.many[relationship.name] = members.list
            if !members.isCertain { row.uncertain.insert(relationship.name) }
        }
        return row
    }

    private func memberSet(_ serial: Int, _ relationship: WalkRelationship) -> [Int] {
        guard let inverse = WalkSchema.relationship(relationship.destination, relationship.inverse) else { return [] }
        if !inverse.isToMany {
            return rows.filter {
                WalkSchema.isKind($0.value.entity, of: relationship.destination)
                    && $0.value.one[relationship.inverse] == serial
            }.keys.sorted()
        }
        let table = Self.table(relationship)
        return (pairs[table.name] ?? []).filter { $0[table.isSource ? 0 : 1] == serial }
            .map { $0[table.isSource ? 1 : 0] }.filter { rows[$0] != nil }.sorted()
    }

    private func members(_ serial: Int, _ relationship: WalkRelationship) -> (list: [Int], isCertain: Bool) {
        let set = memberSet(serial, relationship)
        guard relationship.isOrdered, set.count > 1 else { return (set, true) }
        let order = (orders[relationship.name]?[serial] ?? []).filter(set.contains)
        return order.count == set.count ? (order, true) : (set, false)
    }

    func found(_ query: WalkQuery) -> [Int] {
        rows.keys.filter { serial in row(serial).map { query.admits($0, self) } ?? false }.sorted()
    }

    // MARK: Writing

    func delete(_ serial: Int) {
        rows[serial] = nil
        if clearsReferences {
            for (other, row) in rows {
                for (name, destination) in row.one where destination == serial { rows[other]?.one[name] = nil }
            }
        }
        for name in pairs.keys { pairs[name] = pairs[name]?.filter { !$0.contains(serial) } }
    }

    func write(_ serial: Int, _ row: TwinRow) {
        var row = row
        row.many = [:]
        row.uncertain = []
        rows[serial] = row
        everSaved.insert(serial)
    }

    func add(_ serial: Int, _ relationship: WalkRelationship, _ member: Int) {
        let table = Self.table(relationship)
        pairs[table.name, default: []].insert(table.isSource ? [serial, member] : [member, serial])
    }

    func remove(_ serial: Int, _ relationship: WalkRelationship, _ member: Int) {
        let table = Self.table(relationship)
        pairs[table.name]?.remove(table.isSource ? [serial, member] : [member, serial])
    }

    func order(_ serial: Int, _ relationship: WalkRelationship, _ list: [Int]) {
        orders[relationship.name, default: [:]][serial] = list
    }

    /// After a save, an order stays certain only if it contains exactly the members.
    func settleOrders(writtenOwners: [(owner: Int, relationship: WalkRelationship)]) {
        for (owner, relationship) in writtenOwners {
            let list = orders[relationship.name]?[owner] ?? []
            let set = memberSet(owner, relationship)
            if list.filter(set.contains).count != set.count || list.count != set.count {
                orders[relationship.name]?[owner] = nil
            }
            // Order keys were written for members that now belong to another owner.
            for member in list where !set.contains(member) {
                guard let row = rows[member], let holder = row.one[relationship.inverse] else { continue }
                orders[relationship.name]?[holder] = nil
            }
        }
        for (name, lists) in orders {
            for (owner, list) in lists {
                guard let row = rows[owner], let relationship = WalkSchema.relationship(row.entity, name) else {
                    orders[name]?[owner] = nil
                    continue
                }
                let set = memberSet(owner, relationship)
                let rest = list.filter(set.contains)
                orders[name]?[owner] = rest.count == set.count ? rest : nil
            }
        }
    }
}
