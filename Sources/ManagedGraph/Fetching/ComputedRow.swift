// A computed dictionary while it is sorted. Created by DictionaryFetch.
import GraphPredicates

/// A dictionary as sort descriptors read it; keys other than the names of expressions are read from the first object.
final class ComputedRow: KeyValueReadable {
    /// The dictionary.
    let values: [String: Any]
    /// The values of expressions before they have the types of their descriptions.
    private let computed: [String: Any]
    private let names: Set<String>
    private let object: NSManagedObject?

    init(values: [String: Any], computed: [String: Any], names: Set<String>, object: NSManagedObject?) {
        self.values = values
        self.computed = computed
        self.names = names
        self.object = object
    }

    func value(forKey key: String) -> Any? { names.contains(key) ? computed[key] : object?.value(forKey: key) }
}
