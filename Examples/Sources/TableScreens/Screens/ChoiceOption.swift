// One of the choices of a picker in a form.
import CoreData

/// One option of a picker.
struct ChoiceOption: Sendable, Equatable {
    var reference: String
    var title: String
}
