// The rules that a value must follow: those of the model and those of the class. Held by ObjectLayout.
import GraphModel

/// The rules for one slot.
package struct PropertyValidation: Sendable {
    package let model: PropertyValidator
    /// The class's `validate<Key>` method.
    let custom: ModuleRegistration.Validator?
}
