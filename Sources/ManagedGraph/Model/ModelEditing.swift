// The one rule of a model's life: it may be changed until a coordinator uses it, never after. Every setter of the
// model's classes checks it first, except for properties on which neither stores nor version hashes depend: userInfo,
// the texts for messages and Spotlight's marks.

/// Stops the program if a model that is in use would be changed.
///
/// - Parameters:
///   - isEditable: Whether the owner may still be changed.
///   - part: The part that the caller was about to change, such as `the name of entity Task`.
@inline(__always)
func requireEditable(_ isEditable: Bool, _ part: @autoclosure () -> String) {
    precondition(
        isEditable,
        "Cannot change \(part()): the model is in use by a coordinator. Change a copy of the model instead."
    )
}
