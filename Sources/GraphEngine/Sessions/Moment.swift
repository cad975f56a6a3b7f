// A moment of the process, to compare when rows were read and saved. Every row batch has one, and every fault compares
// one: `ContinuousClock.Instant` takes calls to copy, and a 128-bit division to subtract.
import Dispatch

/// A moment on the clock of the process, which does not go back.
package struct Moment: Comparable, Sendable {
    /// Nanoseconds since a fixed moment before the process began.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: Moment {
        Moment(nanoseconds: Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds))
    }

    package static func < (first: Moment, second: Moment) -> Bool { first.nanoseconds < second.nanoseconds }

    /// Seconds since another moment.
    package func seconds(since other: Moment) -> Double { Double(nanoseconds - other.nanoseconds) / 1e9 }
}
