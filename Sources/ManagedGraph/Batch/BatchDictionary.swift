// The dictionary that the handler of a batch insert fills for each row. Values are stored by the entity's slots, which
// avoids hashing names and looking up bridges for each row. Created and emptied by BatchInsert.
import Foundation
import GraphModel

/// The values of one row to insert, by the names of their properties.
final class BatchDictionary: NSMutableDictionary {
    private let layout: ObjectLayout?
    /// The values of their attributes' usual types, by slot.
    @exclusivity(unchecked) private var values: ContiguousArray<ManagedGraph.Value>
    /// The other values, by slot.
    @exclusivity(unchecked) private var givenValues: [Int: Any] = [:]
    /// By slot: the type of an attribute that can be written; `undefined` for other properties.
    private let types: [AttributeType]
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
        values = ContiguousArray(repeating: .absent, count: layout.slots.count)
        types = layout.slots.map { $0.kind == .attribute && $0.isStored && $0.derivation == nil ? $0.type : .undefined }
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
        layout = nil
        values = []
        types = []
        super.init(objects: nil, forKeys: nil, count: 0)
        for index in 0..<count { otherValues[keys[index]] = objects[index] }
    }

    required init?(coder: NSCoder) {
        layout = nil
        values = []
        types = []
        super.init(objects: nil, forKeys: nil, count: 0)
        guard let copy = NSDictionary(coder: coder) else { return nil }
        for (key, value) in copy { otherValues[AnyHashable(key as? NSObject ?? NSNull())] = value }
    }

    /// Calls `body` with each value of an attribute's usual type, `convert` with each other one, its name and its slot,
    /// which is nil for a key that names no property.
    @inline(__always)
    func eachEntry(_ body: (Int, ManagedGraph.Value) -> Void, convert: (Int?, String, Any) throws -> Void) rethrows {
        for slot in places {
            if !values[slot].isAbsent {
                body(slot, values[slot])
            } else if let value = givenValues[slot], let layout {
                try convert(slot, layout.slots[slot].name, value)
            }
        }
        for (key, value) in otherValues { try convert(nil, key.base as? String ?? "\(key.base)", value) }
    }

    private func slot(_ key: Any) -> Int? {
        guard let layout, let name = Self.name(key) ?? key as? String else { return nil }
        if latest < expected.count, expected[latest].name == name {
            defer { latest += 1 }
            return expected[latest].slot
        }
        return layout.slot(named: name)
    }

    /// A key that is a string; a cast would look for bridges first.
    private static func name<Key>(_ key: Key) -> String? {
        Key.self == String.self ? unsafeBitCast(key, to: String.self) : nil
    }

    override var count: Int { places.count + otherValues.count }

    override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
        guard let slot = slot(aKey.base) else {
            otherValues[aKey] = anObject
            return
        }
        let isPresent = hasValue(slot)
        if !isPresent { places.append(slot) }
        if let value = ManagedGraph.Value.plain(anObject, types[slot]) {
            values[slot] = value
            if isPresent { givenValues[slot] = nil }
        } else {
            values[slot] = .absent
            givenValues[slot] = anObject
        }
    }

    private func hasValue(_ slot: Int) -> Bool { !values[slot].isAbsent || givenValues[slot] != nil }

    override func removeObject(forKey aKey: Any) {
        guard let slot = slot(aKey) else {
            if let key = aKey as? AnyHashable { otherValues[key] = nil }
            return
        }
        values[slot] = .absent
        givenValues[slot] = nil
        places.removeAll { $0 == slot }
    }

    override func removeAllObjects() {
        if let layout, expected.count != places.count {
            expected = places.map { (layout.slots[$0].name, $0) }
        }
        latest = 0
        for slot in places { values[slot] = .absent }
        if !givenValues.isEmpty { givenValues.removeAll(keepingCapacity: true) }
        places.removeAll(keepingCapacity: true)
        if !otherValues.isEmpty { otherValues = [:] }
    }

    /// Returns numbers as `NSNumber`, like Foundation's dictionaries.
    override func object(forKey aKey: Any) -> Any? {
        guard let slot = slot(aKey) else {
            return (aKey as? AnyHashable).flatMap { otherValues[$0] }.map { ManagedGraph.Value.number($0) ?? $0 }
        }
        if values[slot].isAbsent { return givenValues[slot].map { ManagedGraph.Value.number($0) ?? $0 } }
        return values[slot].publicAttribute(types[slot])
    }

    override func keyEnumerator() -> NSEnumerator {
        let names = layout.map { layout in places.map { layout.slots[$0].name as Any } } ?? []
        return ((names + otherValues.keys.map(\.base)) as NSArray).objectEnumerator()
    }
}
