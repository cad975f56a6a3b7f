// The ordered set that reading an ordered relationship returns. Foundation's own looks at one member after the other for
// index(of:) outside Apple's platforms, boxing each: a table that asks for the index of each row would be quadratic.
import Foundation
import Synchronization

/// The members of an ordered relationship as they were when it was read.
final class OrderedMemberSet: NSMutableOrderedSet {
    /// The index of each member; nil until one is looked for.
    private let places = Mutex<[ObjectIdentifier: Int]?>(nil)

    override init(objects: UnsafePointer<AnyObject>?, count: Int) { super.init(objects: objects, count: count) }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(objects: elements.map { $0 as AnyObject }, count: elements.count)
    }

    // Members cannot be archived.
    required init?(coder: NSCoder) { super.init(objects: nil, count: 0) }

    /// Appends a member that the relationship has got, while no caller has the set.
    func append(_ object: NSManagedObject) {
        let place = count
        super.add(object)
        places.withLock { $0?[ObjectIdentifier(object)] = place }
    }

    /// Removes a member that the relationship has lost, while no caller has the set; false if a caller has moved it.
    func remove(_ object: NSManagedObject, at place: Int) -> Bool {
        guard place < count, super.object(at: place) as AnyObject === object else { return false }
        super.removeObject(at: place)
        places.withLock { $0 = nil }
        return true
    }

    override func index(of object: Any) -> Int {
        guard let object = object as? NSManagedObject else { return NSNotFound }
        return places.withLock { places in
            if let places { return places[ObjectIdentifier(object)] ?? NSNotFound }
            var indexes = [ObjectIdentifier: Int](minimumCapacity: count)
            for index in 0..<count { indexes[ObjectIdentifier(self.object(at: index) as AnyObject)] = index }
            places = indexes
            return indexes[ObjectIdentifier(object)] ?? NSNotFound
        }
    }
}
