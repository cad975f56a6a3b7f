// The error of a model that cannot be used. Thrown by coordinators and by functions that open stores.
import Foundation

extension CoreDataError {
    /// A model cannot be used: 134020.
    ///
    /// - Parameter defect: The defect and its place.
    /// - Returns: The error.
    package static func unusableModel(_ defect: ModelDefect) -> NSError {
        make(
            NSPersistentStoreIncompatibleSchemaError,
            "The model cannot be used: \(defect)",
            reason: defect.description,
            remedy: "Correct the model.",
            underlying: defect
        )
    }
}
