// What a form shows instead of the object's own values, after it was sent and not taken. Made by ScreenResponder,
// rendered by PageRenderer.

struct FormState: Sendable {
    /// What was typed, by field.
    var typed: [String: String] = [:]
    /// What the fields held when the form was opened, where that is not what they hold now.
    var opened: [String: String] = [:]
    /// Where the files are that were sent, by field.
    var kept: [String: String] = [:]
    /// The fields that somebody has to decide.
    var conflicts: [FieldConflict] = []

    /// Why what was typed is not taken, by field.
    var errors: [String: String] = [:]
    /// What the pickers offer, and the version of the event stream that says when that changes.
    var live: Live?
    /// Where the form edits in a draft: whether that can be undone and redone.
    var draft: (canUndo: Bool, canRedo: Bool)?

    /// What others change while the form is open.
    struct Live: Sendable {
        var version: String
        var options: [String: [ChoiceOption]]
    }

    /// The form as it was sent.
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

/// A field with two values, as people read them.
struct FieldConflict: Sendable {
    var name: String
    var label: String
    var mine: String
    var theirs: String
    /// Where the other person's picture is.
    var theirPicture: String?
}
