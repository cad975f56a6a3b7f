// The fields of a posted form, read with checks: what does not fit throws `ScreenError.badInput`.
import Foundation

/// A button's or form's action with its fields.
public struct Action: Sendable {
    /// The action's name: the value of the field `action`.
    public let name: String
    var fields: [String: String]
    var files: [String: FormBody.File]
    let timeZone: TimeZone
    let locale: Locale

    /// The field of a row's button that names an action: `list Item-p12` is the action `list` with that value.
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

    /// The fields of a draft, for a save that nobody asks for.
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
    ///   - field: the field's name.
    ///   - limit: the most characters taken.
    /// - Returns: the text, without white space around it.
    /// - Throws: `ScreenError.badInput` where the field is missing or too long.
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
    /// - Parameter field: the field's name.
    /// - Returns: whether it is.
    public func flag(_ field: String) -> Bool { fields[field] == "1" }

    /// The whole number in a field.
    ///
    /// - Parameters:
    ///   - field: the field's name.
    ///   - range: what is taken.
    /// - Returns: the number.
    /// - Throws: `ScreenError.badInput` where it is no number, or outside the range.
    public func integer(_ field: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(try text(field, limit: 40)), range.contains(number) else {
            throw ScreenError.badInput("Choose a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// The number in a field, written as the reader writes numbers; comma and point both separate decimals.
    ///
    /// - Parameters:
    ///   - field: the field's name.
    ///   - range: what is taken.
    /// - Returns: the number.
    /// - Throws: `ScreenError.badInput` where it is no number, or outside the range.
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

    /// The last moment of the day that a date field names, in the reader's time zone.
    ///
    /// - Parameter field: the field's name; its text is `2026-11-24`.
    /// - Returns: the day's last second, so that a thing due on that day is due until it ends.
    /// - Throws: `ScreenError.badInput` where it names no day.
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
            throw ScreenError.badInput("There is no such day in the calendar.")
        }
        return date
    }

    /// Whether a moment lies in the day that a date field names, in the reader's time zone.
    ///
    /// - Parameters:
    ///   - date: the moment.
    ///   - field: the field's name.
    /// - Returns: whether it does.
    /// - Throws: `ScreenError.badInput` where the field names no day.
    public func isSameDay(_ date: Date, _ field: String) throws -> Bool {
        let end = try endOfDay(field)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.isDate(date, inSameDayAs: end)
    }
}
