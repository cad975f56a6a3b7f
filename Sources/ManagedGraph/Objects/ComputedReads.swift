// Reads a key that the class answers with a computed property, and detects a property that reads its own key. Called by
// value(forKey:).
import Synchronization

/// The keys that objects are answering by nested computed properties.
///
/// Most reads are not nested and never use it.
private enum ComputedReads {
    /// Guards the keys by object; an object's own keys are used by its context's queue only.
    static let nested = Mutex<[ObjectIdentifier: [String]]>([:])
}

extension NSManagedObject {
    /// The value of a computed property, for value(forKey:).
    ///
    /// A property that requests its own key, directly or through others, reads the model's value under the key: such
    /// properties are how classes read their fetched properties, and key-value coding does not find them on Apple's
    /// systems.
    final func computedValue(_ getter: @Sendable (NSManagedObject) -> Any?, forKey key: String) -> Any? {
        guard state.contains(.computing) else {
            state.insert(.computing)
            defer { state.remove(.computing) }
            return getter(self)
        }
        // The outermost key is not known here: a property that calls itself is found in the next round.
        let object = ObjectIdentifier(self)
        let isRepeated = ComputedReads.nested.withLock { keys in
            if keys[object]?.contains(key) == true { return true }
            keys[object, default: []].append(key)
            return false
        }
        if isRepeated { return modeledValue(forKey: key) }
        defer {
            ComputedReads.nested.withLock { keys in
                keys[object]?.removeLast()
                if keys[object]?.isEmpty == true { keys[object] = nil }
            }
        }
        return getter(self)
    }
}
