// Detects tracking blocks of Swift's Observation. Used by ObservedObjects when a property is read.
import CSwiftRuntime
import Observation

/// Detects whether a tracking block is running on this thread, which the Observation library does not expose: the
/// library hashes a key path when it records an access, and the hash function of this key path's argument sets a flag.
final class TrackingProbe: Observable, Sendable {
    private struct Mark: Hashable {
        static func == (lhs: Mark, rhs: Mark) -> Bool { true }
        func hash(into hasher: inout Hasher) { managedgraph_setIsTracking(true) }
    }

    // A single object, so that the check costs no more than the library's own call: 10 ns instead of 50.
    private static let shared = TrackingProbe()
    private let registrar = ObservationRegistrar()
    private let keyPath = \TrackingProbe.[Mark()]

    private subscript(mark: Mark) -> Int { 0 }

    static var isTracking: Bool { shared.check() }

    @inline(__always)
    private func check() -> Bool {
        managedgraph_setIsTracking(false)
        registrar.access(self, keyPath: keyPath)
        return managedgraph_isTracking()
    }
}
