// Points in time: seconds since 2001, as models have them, and microseconds since 2000, as the database stores them.
// Used by the encoders and decoders of the driver.

enum PostgreSQLTime {
    /// The seconds from 2000-01-01 to 2001-01-01.
    private static let epochDistance = 366.0 * 86_400
    private static let epochDistanceMicroseconds = 366 * 86_400 * 1_000_000 as Int64
    /// The first and the last time that the database stores: 4714-11-24 BC, and the end of 294276.
    private static let range = -211_813_488_000_000_000...9_223_371_331_199_999_999 as ClosedRange<Int64>

    /// The stored form of a time, rounded to the nearest microsecond; nil if it is not finite or out of range.
    static func microseconds(_ seconds: Double) -> Int64? {
        guard seconds.isFinite, seconds.magnitude < 9.224e12 else { return nil }
        // The whole seconds are converted apart, so that the product loses no digits.
        let wholeSeconds = seconds.rounded(.down)
        let fraction = ((seconds - wholeSeconds) * 1_000_000).rounded()
        let (value, overflow) = (Int64(wholeSeconds) + 366 * 86_400).multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflows) = value.addingReportingOverflow(Int64(fraction))
        return !overflow && !overflows && range.contains(sum) ? sum : nil
    }

    /// The time of a stored form.
    ///
    /// The division is exact to the last bit for times within 285 years of 2001.
    @inline(__always)
    static func seconds(_ microseconds: Int64) -> Double {
        switch microseconds {
        case .max: return .infinity
        case .min: return -.infinity
        default:
            let (value, overflow) = microseconds.subtractingReportingOverflow(epochDistanceMicroseconds)
            return overflow ? Double(microseconds) / 1_000_000 - epochDistance : Double(value) / 1_000_000
        }
    }

    /// The time of the start of a day, counted from 2000-01-01.
    static func seconds(day: Int32) -> Double {
        switch day {
        case .max: .infinity
        case .min: -.infinity
        default: Double(day) * 86_400 - epochDistance
        }
    }
}
