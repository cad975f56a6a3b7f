// The fields of a posted form, with checked access: invalid values throw `ScreenError.badInput`.
import Foundation

/// The action of a button or form, with its fields.
public struct Action: Sendable {
    /// The action's name: the value of the field `action`.
    public let name: String
    var fields: [String: String]
    var files: [String: FormBody.File]
    let timeZone: TimeZone
    let locale: Locale

    /// The field of a row's button that contains an action and its value: `list Item-p12`.
    static let performField = "perform"

    init(_ body: FormBody, timeZone: TimeZone, locale: Locale) {
        var fields = body.fields
        if let words = fields[Self.performField]?.split(separator: " ", maxSplits: 1), words.count == 2 {
            fields["action"] = String(words[0])
            fields["value"] = String(words[1])
        }
        self.name = fields["action"] ?? ""
        self.fields = fields
        self.files = body.files
        self.timeZone = timeZone
        self.locale = locale
    }

    /// Creates the save action of a draft whose browser is gone.
    init(fields: [String: String], for reader: Reader) {
        name = "save"
        self.fields = fields
        files = [:]
        timeZone = reader.timeZone
        locale = reader.locale
    }

    /// The text of a field.
    ///
    /// - Parameters:
    ///   - field: The field's name.
    ///   - limit: The maximum length in characters.
    /// - Returns: The text, without surrounding white space.
    /// - Throws: `ScreenError.badInput` if the field is missing or too long.
    public func text(_ field: String, limit: Int = Field.textLimit) throws -> String {
        guard let value = fields[field] else { throw ScreenError.badInput("The field “\(field)” is missing.") }
        guard value.utf8.count <= limit || value.count <= limit else {
            throw ScreenError.badInput(
                "The text is too long: it has \(value.count.formatted(.number.locale(locale))) characters, and "
                    + "\(limit.formatted(.number.locale(locale))) fit. Make it shorter and save again."
            )
        }
        return value.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether a switch is on.
    ///
    /// - Parameter field: The field's name.
    /// - Returns: True if it is on.
    public func flag(_ field: String) -> Bool { fields[field] == "1" }

    /// The whole number in a field.
    ///
    /// - Parameters:
    ///   - field: The field's name.
    ///   - range: The accepted numbers.
    /// - Returns: The number.
    /// - Throws: `ScreenError.badInput` if the field is not a number in the range.
    public func integer(_ field: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(try text(field, limit: 40)), range.contains(number) else {
            throw ScreenError.badInput("Choose a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The number in a field, in the reader's notation; comma and point both separate decimals.
    ///
    /// - Parameters:
    ///   - field: The field's name.
    ///   - range: The accepted numbers.
    /// - Returns: The number.
    /// - Throws: `ScreenError.badInput` if the field is not a number in the range.
    public func number(_ field: String, in range: ClosedRange<Double>) throws -> Double {
        let text = try text(field, limit: 100)
        func words(_ number: Double) -> String { number.formatted(.number.locale(locale)) }
        guard let number = NumberText.number(text, locale: locale) else {
            throw ScreenError.badInput("“\(text)” is not a number. Enter digits, as in \(words(1.5)).")
        }
        guard range.contains(number) else {
            throw ScreenError.badInput(
                number < range.lowerBound
                    ? "Enter a number that is not below \(words(range.lowerBound))."
                    : "Enter a number that is not above \(words(range.upperBound))."
            )
        }
        return number
    }

    /// The last second of the day in a date field, in the reader's time zone.
    ///
    /// - Parameter field: The field's name; its text is `2026-11-24`.
    /// - Returns: The last second of the day, so that a task due on that day is not overdue before it ends.
    /// - Throws: `ScreenError.badInput` if the field is not a date.
    public func endOfDay(_ field: String) throws -> Date {
        let parts = try text(field, limit: 40).split(separator: "-", omittingEmptySubsequences: false)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        guard parts.count == 3, (parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { throw ScreenError.badInput("Enter a date: year, month and day.") }
        let components = DateComponents(year: year, month: month, day: day, hour: 23, minute: 59, second: 59)
        guard let date = calendar.date(from: components), calendar.component(.day, from: date) == day else {
            throw ScreenError.badInput("This day does not exist in the calendar.")
        }
        return date
    }

    /// Whether a moment is on the day in a date field, in the reader's time zone.
    ///
    /// - Parameters:
    ///   - date: The moment.
    ///   - field: The field's name.
    /// - Returns: True if it is.
    /// - Throws: `ScreenError.badInput` if the field is not a date.
    public func isSameDay(_ date: Date, _ field: String) throws -> Bool {
        let end = try endOfDay(field)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.isDate(date, inSameDayAs: end)
    }
}
