// The language and time zone of a reader, according to the request. The browser formats moments again with its own
// settings; these serve readers without scripts, and forms.
import Foundation

struct Reader: Sendable {
    var locale: Locale
    var timeZone: TimeZone

    /// For rows shared by many readers, whose browsers format the moments.
    static let neutral = Reader(locale: Locale(identifier: "en_US"), timeZone: .current)

    /// - Parameters:
    ///   - acceptLanguage: The header, of which the first language is used.
    ///   - zone: The name of the browser's time zone, such as `Europe/Berlin`.
    init(acceptLanguage: String?, zone: String?) {
        let first = acceptLanguage?.split(whereSeparator: { ",;".contains($0) }).first.map(String.init) ?? "en-US"
        let isTag = first.count <= 35 && first.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        locale = Locale(identifier: isTag ? first.replacingOccurrences(of: "-", with: "_") : "en_US")
        timeZone = zone.flatMap { $0.count <= 60 ? TimeZone(identifier: $0) : nil } ?? .current
    }

    private init(locale: Locale, timeZone: TimeZone) {
        self.locale = locale
        self.timeZone = timeZone
    }

    func text(_ date: Date, _ form: RowText.DateForm) -> String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.timeZone = timeZone
        switch form {
        case .longDate:
            formatter.dateStyle = .long
        case .day:
            formatter.setLocalizedDateFormatFromTemplate("MMMd")
        case .moment:
            formatter.dateStyle = .medium
            formatter.timeStyle = .medium
        }
        return formatter.string(from: date)
    }

    /// Returns the number with all its digits, 15 at most.
    func text(_ number: Double) -> String {
        number.formatted(.number.locale(locale).precision(.significantDigits(1...15)))
    }

    /// Returns the same language in another time zone.
    func with(_ timeZone: TimeZone) -> Reader {
        Reader(locale: locale, timeZone: timeZone)
    }

    /// Returns noon of the day in a date field, or nil.
    func date(_ day: String) -> Date? {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12))
    }

    /// Returns the number for a field, without grouping separators, which hinder editing.
    func fieldText(_ number: Double) -> String {
        number.formatted(.number.locale(locale).precision(.significantDigits(1...15)).grouping(.never))
    }

    /// Returns the day for a date field: `2026-11-24`.
    func day(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    }

    /// Returns the moment for a `datetime` attribute.
    static func machineText(_ date: Date) -> String {
        date.formatted(.iso8601)
    }
}
