// The effect of some rows of a batch insert with uniqueness constraints, as if each were written before the next one is
// looked up. Filled by BatchInsert for engines that look up many rows at a time, and written with few statements.
import GraphEngine

/// Rows to insert and rows to update, with the unique values that they have at the end.
struct UpsertPlan {
    /// The row that another one is written over.
    enum Target: Hashable {
        case stored(ObjectKey)
        /// A row to insert, by its place among `inserts`.
        case new(Int)
    }

    /// The values of new rows.
    private(set) var inserts: [UpsertRow] = []
    /// The values to be written over stored rows; `set` has the slots to write.
    private(set) var updates: [(key: ObjectKey, row: UpsertRow)] = []
    /// The rows that were inserted or updated, in the order in which they were added.
    private(set) var order: [Target] = []

    /// The slots of each constraint.
    private let constraints: [[Int]]
    /// The slots that a row writes over another one; nil for those that are set.
    private let overwritten: SlotSet?
    /// Whether stored values stay as they are.
    private let keepsStored: Bool
    /// The unique values of a row for a constraint, in the form in which the store has them.
    private let uniqueValues: (ContiguousArray<RowValue>, [Int]) throws -> UniqueValues?
    /// The row with certain unique values, by constraint.
    private var targets: [[UniqueValues: Target]]
    /// The unique values of a row, by constraint.
    private var heldValues: [[Target: UniqueValues]]
    private var updatePlaces: [ObjectKey: Int] = [:]

    /// Begins a plan.
    ///
    /// - Parameters:
    ///   - policy: The merge policy, which is not the error policy.
    ///   - constraints: The slots of each uniqueness constraint.
    ///   - allSlots: The slots that the overwrite policy writes.
    ///   - uniqueValues: The unique values of a row for the slots of a constraint.
    init(
        _ policy: NSMergePolicyType,
        constraints: [[Int]],
        allSlots: SlotSet,
        uniqueValues: @escaping (ContiguousArray<RowValue>, [Int]) throws -> UniqueValues?
    ) {
        self.constraints = constraints
        self.uniqueValues = uniqueValues
        overwritten = policy == .overwriteMergePolicyType ? allSlots : nil
        keepsStored = policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
        targets = constraints.map { _ in [:] }
        heldValues = constraints.map { _ in [:] }
    }

    /// Notes the stored row that has the unique values of one of the rows to be added.
    mutating func note(_ key: ObjectKey, _ constraint: Int, _ row: UpsertRow) throws {
        guard let values = try uniqueValues(row.values, constraints[constraint]) else { return }
        take(values, constraint, .stored(key))
    }

    /// Adds a row after those before it; does nothing and returns false for one that must be written by itself.
    ///
    /// Such a row gives another one unique values that it did not have. The order of the statements decides whether the
    /// store accepts them, and only the store has the other values of the row.
    mutating func add(_ row: UpsertRow) throws -> Bool {
        let values = try constraints.map { try uniqueValues(row.values, $0) }
        guard let target = match(values) else {
            let target = Target.new(inserts.count)
            inserts.append(row)
            order.append(target)
            for (constraint, values) in values.enumerated() {
                if let values { take(values, constraint, target) }
            }
            return true
        }
        if keepsStored { return true }
        let slots = overwritten ?? row.set
        guard let released = try constraintsReleased(by: row, values, slots, target) else { return false }
        for constraint in released { release(constraint, target) }
        update(target, row, slots)
        return true
    }

    /// The row that the first constraint finds.
    private func match(_ values: [UniqueValues?]) -> Target? {
        for (constraint, values) in values.enumerated() {
            if let values, let target = targets[constraint][values] { return target }
        }
        return nil
    }

    /// The constraints for which a row has no unique values any more once another one is written over it.
    ///
    /// Nil if it gets unique values that it did not have.
    private func constraintsReleased(
        by row: UpsertRow,
        _ values: [UniqueValues?],
        _ slots: SlotSet,
        _ target: Target
    ) throws -> [Int]? {
        var released: [Int] = []
        for (constraint, unique) in constraints.enumerated() where unique.contains(where: slots.contains) {
            // The row has these values already.
            if let values = values[constraint], targets[constraint][values] == target { continue }
            switch target {
            case .stored:
                let writtenSlots = unique.filter(slots.contains)
                guard try writtenSlots.contains(where: { try uniqueValues(row.values, [$0]) == nil }) else {
                    return nil
                }
                released.append(constraint)
            case .new(let place):
                var merged = inserts[place]
                merged.merge(row, slots)
                let values = try uniqueValues(merged.values, unique)
                if values == heldValues[constraint][target] { continue }
                guard values == nil else { return nil }
                released.append(constraint)
            }
        }
        return released
    }

    private mutating func update(_ target: Target, _ row: UpsertRow, _ slots: SlotSet) {
        switch target {
        case .new(let place): inserts[place].merge(row, slots)
        case .stored(let key):
            if let place = updatePlaces[key] {
                updates[place].row.merge(row, slots)
                return
            }
            updatePlaces[key] = updates.count
            var row = row
            row.set = slots
            updates.append((key, row))
            order.append(target)
        }
    }

    // MARK: Unique values

    private mutating func take(_ values: UniqueValues, _ constraint: Int, _ target: Target) {
        targets[constraint][values] = target
        heldValues[constraint][target] = values
    }

    private mutating func release(_ constraint: Int, _ target: Target) {
        guard let values = heldValues[constraint].removeValue(forKey: target) else { return }
        targets[constraint][values] = nil
    }
}
