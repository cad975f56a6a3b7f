// The listings of Modelling.md.
import CoreData

enum Handwritten {
    static func model() -> NSManagedObjectModel {
        let name = NSAttributeDescription()
        name.name = "name"
        name.type = .string
        name.isOptional = false
        name.defaultValue = "Untitled"

        let note = NSEntityDescription()
        note.name = "Note"
        note.properties = [name]
        note.uniquenessConstraints = [["name"]]

        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }
}

extension Item {
    func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
        guard let name = value.pointee as? String, !name.hasPrefix(" ") else {
            throw CocoaError(.validationStringPatternMatching)
        }
    }
}
