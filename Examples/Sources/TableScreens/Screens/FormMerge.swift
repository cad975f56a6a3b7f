// A three-way merge for two people editing the same object: the values when the form was opened, the entered values
// and the current ones. Used by forms (ScreenResponder) and by drafts; independent of requests and objects.

/// The result of merging three versions of an object's fields: as opened, mine and now.
///
/// A field that only others changed takes the current value, and one that only I changed takes mine. If both changed it
/// to different values, it is a conflict for a person to resolve.
public struct FormMerge<Value: Equatable & Sendable>: Sendable {
    /// A field changed by both people to different values.
    public struct Conflict: Sendable, Equatable {
        /// The field's name.
        public let name: String
        /// The value that the second person entered.
        public let mine: Value
        /// The value that the first person saved in the meantime.
        public let theirs: Value

        /// Creates a conflict.
        ///
        /// - Parameters:
        ///   - name: The field's name.
        ///   - mine: The value that the second person entered.
        ///   - theirs: The value that the first person saved in the meantime.
        public init(name: String, mine: Value, theirs: Value) {
            self.name = name
            self.mine = mine
            self.theirs = theirs
        }
    }

    /// The values to save: merged if possible, mine for conflicts.
    public let values: [String: Value]
    /// The fields in conflict, in the order of the names.
    public let conflicts: [Conflict]

    /// Merges three versions of the same fields.
    ///
    /// A field missing from one of the versions is not merged; mine stays as it is, present or not.
    ///
    /// - Parameters:
    ///   - names: The fields, in the order in which conflicts are reported.
    ///   - opened: The values when the second person opened the form.
    ///   - mine: The values that the second person wants to save.
    ///   - now: The current values.
    /// - Complexity: O(fields).
    public init(_ names: [String], opened: [String: Value], mine: [String: Value], now: [String: Value]) {
        var values = mine
        var conflicts: [Conflict] = []
        for name in names {
            guard let before = opened[name], let newValue = mine[name], let current = now[name] else { continue }
            if newValue == before {
                values[name] = current
            } else if current != before, current != newValue {
                conflicts.append(Conflict(name: name, mine: newValue, theirs: current))
            }
        }
        self.values = values
        self.conflicts = conflicts
    }
}
