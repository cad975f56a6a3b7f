// Two people edit one object: what each field held when it was opened, what was typed, and what it holds now, brought
// together. A value, used by forms (ScreenResponder) and by drafts; it knows neither requests nor objects.

/// The outcome of merging three versions of an object's fields: as opened, mine, now.
///
/// A field that I did not touch takes what is there now, one that only I touched takes mine, and one that both changed
/// to different values is a conflict, which somebody has to decide.
public struct FormMerge<Value: Equatable & Sendable>: Sendable {
    /// A field that both changed to different values.
    public struct Conflict: Sendable, Equatable {
        /// The field's name.
        public let name: String
        /// What the second person entered.
        public let mine: Value
        /// What the first person saved in the meantime.
        public let theirs: Value

        /// A field that both changed to different values.
        ///
        /// - Parameters:
        ///   - name: the field's name.
        ///   - mine: what the second person entered.
        ///   - theirs: what the first person saved in the meantime.
        public init(name: String, mine: Value, theirs: Value) {
            self.name = name
            self.mine = mine
            self.theirs = theirs
        }
    }

    /// What to save: merged where that can be done, mine where there is a conflict.
    public let values: [String: Value]
    /// The fields that have to be decided, in the order of the names.
    public let conflicts: [Conflict]

    /// Merges three versions of the same fields.
    ///
    /// A field that one of the first two versions lacks is not merged: mine stays as it is, there or not.
    ///
    /// - Parameters:
    ///   - names: the fields, in the order in which conflicts are told.
    ///   - opened: what the fields held when the second person opened them.
    ///   - mine: what the second person wants to save.
    ///   - now: what the fields hold now.
    /// - Complexity: O(fields).
    public init(_ names: [String], opened: [String: Value], mine: [String: Value], now: [String: Value]) {
        var values = mine
        var conflicts: [Conflict] = []
        for name in names {
            guard let before = opened[name], let wanted = mine[name], let current = now[name] else { continue }
            if wanted == before {
                values[name] = current
            } else if current != before, current != wanted {
                conflicts.append(Conflict(name: name, mine: wanted, theirs: current))
            }
        }
        self.values = values
        self.conflicts = conflicts
    }
}
