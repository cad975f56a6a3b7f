// Dates in the fields of attributes: ISO 8601 for people, seconds since 2001 in model files.
import Foundation

enum DateText {
    /// The seconds since 2001 of a date in ISO 8601, with or without a time, or of a number of seconds.
    static func seconds(_ text: String) -> Double? {
        let text = text.trimmingCharacters(in: .whitespaces)
        if let seconds = Double(text) { return seconds.isFinite ? seconds : nil }
        let styles: [Date.ISO8601FormatStyle] = [
            .iso8601, .init(includingFractionalSeconds: true), .iso8601.year().month().day(),
        ]
        for style in styles {
            if let date = try? style.parse(text) { return date.timeIntervalSinceReferenceDate }
        }
        return nil
    }

    /// The date of a number of seconds since 2001.
    static func text(seconds: Double) -> String {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let hasFraction = seconds != seconds.rounded(.down)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
    }
}
