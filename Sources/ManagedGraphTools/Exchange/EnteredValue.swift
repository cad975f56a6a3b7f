// A value that a person entered as text, for one attribute. Called by GraphBrowsing; the rules of texts are those of
// imports.
import Foundation
import GraphModel
import ManagedGraph

/// Reads entered texts.
package enum EnteredValue {
    /// The value of a text for an attribute.
    ///
    /// - Parameters:
    ///   - text: The text, in the form of an export: ISO 8601 for dates, base64 for data.
    ///   - slot: The attribute.
    /// - Returns: The value, as key-value coding takes it; nil if the text stands for no value.
    /// - Throws: 1550 with a sentence that names the accepted form.
    package static func read(_ text: String, for slot: Slot) throws -> Any? {
        do {
            return try slot.value(of: text).publicAttribute(slot.type)
        } catch let error as FieldError {
            throw CoreDataError.make(
                NSManagedObjectValidationError,
                "\(slot.name) was not changed: \(error.reason).",
                remedy: example(slot.type).map { "Enter \(slot.type.sentenceName), such as \($0)." }
            )
        }
    }

    private static func example(_ type: AttributeType) -> String? {
        switch type {
        case .integer16, .integer32, .integer64: "42"
        case .double, .float, .decimal: "12.5"
        case .boolean: "true"
        case .date: "2026-11-21T18:00:00Z"
        case .uuid: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        case .uri: "https://example.org/page"
        default: nil
        }
    }
}
