// A field's value as the text that a form sends for it, and as text for people. Used to render forms, and to merge
// them: the current value of a field is compared with its value when the form was opened.
import CoreData
import Foundation

extension Field {
    var isPicture: Bool {
        if case .picture = kind { true } else { false }
    }

    /// The prefix of the value that the field had when the form was opened.
    static let openedPrefix = "was."
    /// The prefix of the value that a person chose in a conflict, `mine` or `theirs`.
    static let choicePrefix = "choice."
    /// The prefix of an image field's removal flag, 1 if the picture was removed.
    static let removalPrefix = "remove."
    /// The prefix of an image field's token for a kept file of a rejected form.
    static let keptPrefix = "kept."

    /// Returns the text that the form sends for this field if it is untouched.
    func value(for reader: Reader) -> String {
        switch kind {
        // A single-line field drops line breaks, so the value to compare must too.
        case .text(let text): text.filter { !$0.isNewline }
        case .longText(let text): text.replacingOccurrences(of: "\r\n", with: "\n")
        case .day(let date): reader.day(date)
        case .flag(let isOn): isOn ? "1" : "0"
        case .picture(let data): PictureStamp.text(data)
        case .number(let number): reader.fieldText(number)
        case .choice(let choice): choice.selected
        }
    }

    /// Returns a submitted value as text for people.
    func words(_ value: String, for reader: Reader, in context: NSManagedObjectContext) -> String {
        switch kind {
        case .text, .longText, .number: value
        case .flag: value == "1" ? "On" : "Off"
        case .picture: value.isEmpty ? "No picture" : "Another picture"
        case .choice(let choice): choice.title(of: value, in: context)
        case .day: reader.date(value).map { reader.text($0, .longDate) } ?? value
        }
    }
}
