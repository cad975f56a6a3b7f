// A node of an XML or binary store. Its values are in a dictionary of Swift's: Foundation's one converts each value that is
// read, and copies data byte by byte, a millisecond for 16 KB. Created by the store when it reads its file, and by saves.
import Foundation

/// An object of a store that consists of one file.
final class WholeFileNode: NSAtomicStoreCacheNode {
    private var values: [String: Any] = [:]

    /// A copy of the values.
    override var propertyCache: NSMutableDictionary? {
        get { NSMutableDictionary(dictionary: values) }
        set {
            values = [:]
            for (key, value) in newValue ?? [:] {
                if let name = key as? String { values[name] = value }
            }
        }
    }

    override func value(forKey key: String) -> Any? { values[key] }

    override func setValue(_ value: Any?, forKey key: String) { values[key] = value }

    override func restoringValues() -> () -> Void {
        let former = values
        return { self.values = former }
    }
}
