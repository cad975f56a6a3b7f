// The change of a picture in a form. Read by screens from an action; values only.
import Foundation

/// The change of a picture in a form.
public enum PictureChange: Sendable, Equatable {
    /// The picture is untouched: do not set the property, which was not even read.
    case unchanged
    /// The picture was removed.
    case removed
    /// Another file was chosen, and it is a picture.
    case replaced(Data)
}

extension Action {
    /// Sets an image field to the picture of a form, or to its removal; other fields stay.
    mutating func setPicture(_ field: String, in form: Form) {
        guard case .picture(let data)? = form.fields.first(where: { $0.name == field })?.kind else { return }
        files[field] = data.map { FormBody.File(name: "", data: $0) }
        fields[Field.removalPrefix + field] = data == nil ? "1" : nil
    }

    /// The change of the picture in an image field.
    ///
    /// - Parameter field: The field's name.
    /// - Returns: The change to apply to the property.
    /// - Throws: `ScreenError.badInput` if the chosen file is not a picture.
    public func picture(_ field: String) throws -> PictureChange {
        if let file = files[field] {
            _ = try Picture(file.data)
            return .replaced(file.data)
        }
        return fields[Field.removalPrefix + field] == "1" ? .removed : .unchanged
    }
}
