// The values that a rejected form shows instead of the object's own. Created by ScreenResponder, rendered by
// PageRenderer.

struct FormState: Sendable {
    /// The entered values, by field.
    var typed: [String: String] = [:]
    /// The values when the form was opened, if they differ from the current ones.
    var opened: [String: String] = [:]
    /// The tokens of kept files, by field.
    var kept: [String: String] = [:]
    /// The fields with conflicts to resolve.
    var conflicts: [FieldConflict] = []

    /// The reasons for rejecting entered values, by field.
    var errors: [String: String] = [:]
    /// The options of the pickers, and the version of the event stream that reports their changes.
    var live: Live?
    /// For a form with a draft: whether there are changes to undo and to redo.
    var draft: (canUndo: Bool, canRedo: Bool)?

    /// The parts of an open form that others can change.
    struct Live: Sendable {
        var version: String
        var options: [String: [ChoiceOption]]
    }

    /// Creates the state of a submitted form.
    init(sent fields: [String: String] = [:]) {
        for (name, value) in fields {
            if name.hasPrefix(Field.openedPrefix) {
                opened[String(name.dropFirst(Field.openedPrefix.count))] = value
            } else {
                typed[name] = value
            }
        }
    }
}
