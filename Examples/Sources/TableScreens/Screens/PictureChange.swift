// What a form says of a picture. Read by screens from an action; values only.
import Foundation

/// What became of a picture in a form.
public enum PictureChange: Sendable, Equatable {
    /// Nobody touched it: leave the property alone, it is not even read.
    case unchanged
    /// It was taken away.
    case removed
    /// Another file was chosen, and is a picture.
    case replaced(Data)
}

extension Action {
    /// What became of the picture in an image field.
    ///
    /// - Parameter field: the field's name.
    /// - Returns: what to do with the property.
    /// - Throws: `ScreenError.badInput` where the file that was chosen is no picture.
    public func picture(_ field: String) throws -> PictureChange {
        if let file = files[field] {
            _ = try Picture(file.data)
            return .replaced(file.data)
        }
        return fields[Field.removalPrefix + field] == "1" ? .removed : .unchanged
    }
}
