// Whether the tests run under a sanitizer, whose memory no limit fits. Set by Scripts/sanitize.py.
import Foundation

/// The sanitizer under which the tests run.
package enum Sanitizer {
    /// Whether there is one: it keeps freed memory for a while, and reserves terabytes of addresses.
    package static let isOn = ProcessInfo.processInfo.environment["SANITIZER"] != nil
}
