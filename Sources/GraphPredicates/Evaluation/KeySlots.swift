// One key of many objects, read by slots. Kept by sort descriptors and by the steps of key paths.
import Synchronization

/// The slots that hold a key in the objects that were read before.
final class KeySlots: Sendable {
    private let key: String
    /// The latest slot, which leads to the earlier ones; retained.
    private let latest = Atomic<Unmanaged<KeySlot>?>(nil)

    init(_ key: String) {
        self.key = key
    }

    deinit { latest.load(ordering: .acquiring)?.release() }

    /// The value of the key in an object; nil if it has no slot there.
    func value(of object: Any?) -> EvaluatedValue? {
        if let slots = latest.load(ordering: .acquiring) {
            let answer = withUnsafePointer(to: object) { object in
                slots._withUnsafeGuaranteedRef { $0.value(of: object) }
            }
            switch answer {
            case .value(let value): return value
            case .general: return nil
            case .unknown: break
            }
        }
        guard let object, addSlot(of: object) else { return nil }
        return value(of: object)
    }

    /// Finds the slot of the key in objects like this one; returns false if there is none.
    @inline(never)
    private func addSlot(of object: Any) -> Bool {
        let former = latest.load(ordering: .acquiring)
        guard let slot = KeySlot(key, of: object, before: former?.takeUnretainedValue()) else { return false }
        let new = Unmanaged.passRetained(slot)
        let (isAdded, _) = latest.compareExchange(expected: former, desired: new, ordering: .acquiringAndReleasing)
        if isAdded { former?.release() } else { new.release() }
        return true
    }
}
