// A field's value as the text that a form sends back for it, and as a person reads it. Used where forms are rendered
// and merged: what a field holds now is compared with what it held when the form was opened.
import Foundation

extension Field {
    /// Before a field's name: what the field held when the form was opened.
    static let openedPrefix = "was."
    /// Before a field's name: which of two values a person chose, `mine` or `theirs`.
    static let choicePrefix = "choice."

    /// What the form sends back for this field where nobody touches it.
    func value(for reader: Reader) -> String {
        switch kind {
        // A field of one line drops line breaks, and so must what it is compared with.
        case .text(let text): text.filter { !$0.isNewline }
        case .day(let date): reader.day(date)
        }
    }

    /// A value that a form sent, as a person reads it.
    func words(_ value: String, for reader: Reader) -> String {
        switch kind {
        case .text: value
        case .day: reader.date(value).map { reader.text($0, .longDate) } ?? value
        }
    }
}
