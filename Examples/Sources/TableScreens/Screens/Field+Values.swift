// A field's value as the text that a form sends back for it, and as a person reads it. Used where forms are rendered
// and merged: what a field holds now is compared with what it held when the form was opened.
import CoreData
import Foundation

extension Field {
    var isPicture: Bool {
        if case .picture = kind { true } else { false }
    }

    /// Before a field's name: what the field held when the form was opened.
    static let openedPrefix = "was."
    /// Before a field's name: which of two values a person chose, `mine` or `theirs`.
    static let choicePrefix = "choice."
    /// Before an image field's name: 1 where the picture was taken away.
    static let removalPrefix = "remove."
    /// Before an image field's name: where a file is that was sent and not taken.
    static let keptPrefix = "kept."

    /// What the form sends back for this field where nobody touches it.
    func value(for reader: Reader) -> String {
        switch kind {
        // A field of one line drops line breaks, and so must what it is compared with.
        case .text(let text): text.filter { !$0.isNewline }
        case .longText(let text): text.replacingOccurrences(of: "\r\n", with: "\n")
        case .day(let date): reader.day(date)
        case .flag(let isOn): isOn ? "1" : "0"
        case .picture(let data): PictureStamp.text(data)
        case .number(let number): reader.fieldText(number)
        case .choice(let choice): choice.selected
        }
    }

    /// A value that a form sent, as a person reads it.
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
