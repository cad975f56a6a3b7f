// A moment of the process, to compare when rows were read and saved. Every row batch has one, and every fault compares
// one: `ContinuousClock.Instant` takes calls to copy, and a 128-bit division to subtract.
import Foundation

/// A moment on a clock that does not go back and, if the system has such a clock, advances while the system sleeps.
package struct Moment: Comparable, Sendable {
    /// Nanoseconds since a fixed moment before the process began.
    package let nanoseconds: Int64

    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    package static var now: Moment {
        #if os(Linux) || os(Android)
            now(of: CLOCK_BOOTTIME)
        #elseif canImport(Darwin)
            now(of: CLOCK_MONOTONIC)
        #else
            Moment(nanoseconds: Int64(truncatingIfNeeded: DispatchTime.now().uptimeNanoseconds))
        #endif
    }

    #if !os(Windows)
        private static func now(of clock: clockid_t) -> Moment {
            var time = timespec()
            clock_gettime(clock, &time)
            return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        }
    #endif

    package static func < (first: Moment, second: Moment) -> Bool { first.nanoseconds < second.nanoseconds }

    /// Seconds since another moment.
    package func seconds(since other: Moment) -> Double { Double(nanoseconds - other.nanoseconds) / 1e9 }
}
