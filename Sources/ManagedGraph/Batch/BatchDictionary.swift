// The dictionary that the handler of a batch insert fills for each row. Values are stored by the entity's slots, which
// avoids hashing names and looking up bridges for each row. Created and emptied by BatchInsert.
import Foundation

/// The values of one row to insert, by the names of their properties.
final class BatchDictionary: NSMutableDictionary {
    private let layout: ObjectLayout?
    /// The values by slot.
    @exclusivity(unchecked) private var values: ContiguousArray<Any?>
    /// The slots that have values, in the order in which they were first set.
    @exclusivity(unchecked) private var places: [Int] = []
    /// The values for keys that name no property of the entity.
    @exclusivity(unchecked) private var otherValues: [AnyHashable: Any] = [:]
    /// The position in `expected`: programs set the properties of each row in the same order.
    @exclusivity(unchecked) private var latest = 0
    /// The slots in the order in which the previous row was filled.
    @exclusivity(unchecked) private var expected: [(name: String, slot: Int)] = []

    init(_ layout: ObjectLayout) {
        self.layout = layout
        values = ContiguousArray(repeating: nil, count: layout.slots.count)
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
        layout = nil
        values = []
        super.init(objects: nil, forKeys: nil, count: 0)
        for index in 0..<count { otherValues[keys[index]] = objects[index] }
    }

    required init?(coder: NSCoder) {
        layout = nil
        values = []
        super.init(objects: nil, forKeys: nil, count: 0)
        guard let copy = NSDictionary(coder: coder) else { return nil }
        for (key, value) in copy { otherValues[AnyHashable(key as? NSObject ?? NSNull())] = value }
    }

    /// Calls `body` with each value, its name and its slot, which is nil for a key that names no property.
    func eachEntry(_ body: (Int?, String, Any) throws -> Void) rethrows {
        for slot in places {
            if let value = values[slot], let layout { try body(slot, layout.slots[slot].name, value) }
        }
        for (key, value) in otherValues { try body(nil, key.base as? String ?? "\(key.base)", value) }
    }

    private func slot(_ key: Any) -> Int? {
        guard let layout, let name = key as? String else { return nil }
        if latest < expected.count, expected[latest].name == name {
            defer { latest += 1 }
            return expected[latest].slot
        }
        return layout.slot(named: name)
    }

    override var count: Int { places.count + otherValues.count }

    override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        guard let slot = slot(aKey.base) else {
            otherValues[aKey] = anObject
            return
        }
        if values[slot] == nil { places.append(slot) }
        values[slot] = anObject
    }

    override func removeObject(forKey aKey: Any) {
        guard let slot = slot(aKey) else {
            if let key = aKey as? AnyHashable { otherValues[key] = nil }
            return
        }
        values[slot] = nil
        places.removeAll { $0 == slot }
    }

    override func removeAllObjects() {
        if let layout, expected.count != places.count {
            expected = places.map { (layout.slots[$0].name, $0) }
        }
        latest = 0
        for slot in places { values[slot] = nil }
        places.removeAll(keepingCapacity: true)
        if !otherValues.isEmpty { otherValues = [:] }
    }

    /// Returns numbers as `NSNumber`, like Foundation's dictionaries.
    override func object(forKey aKey: Any) -> Any? {
        let value = slot(aKey).map { values[$0] } ?? (aKey as? AnyHashable).flatMap { otherValues[$0] }
        return value.map { ManagedGraph.Value.number($0) ?? $0 }
    }

    override func keyEnumerator() -> NSEnumerator {
        let names = layout.map { layout in places.map { layout.slots[$0].name as Any } } ?? []
        return ((names + otherValues.keys.map(\.base)) as NSArray).objectEnumerator()
    }
}
