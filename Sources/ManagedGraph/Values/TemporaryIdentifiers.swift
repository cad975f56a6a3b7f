// The temporary identifiers that programs hold. A save notes in them the permanent ones that replace them.
import CSwiftRuntime
import GraphEngine
import Synchronization

/// The living temporary identifiers of objects: one for each key, held by the program only.
enum TemporaryIdentifiers {
    private static let table = Mutex<[Int64: UInt]>([:])

    /// The identifier of an object with a temporary key.
    static func identifier(of key: ObjectKey, layout: ObjectLayout) -> NSManagedObjectID {
        if let existing = living(key.primaryKey) { return existing }
        let newIdentifier = NSManagedObjectID(layout: layout, key: key, link: nil)
        // Another thread may have made one meanwhile.
        return table.withLock { table in
            if let existing = table[key.primaryKey].flatMap(retained) { return existing }
            table[key.primaryKey] = address(newIdentifier)
            return newIdentifier
        }
    }

    /// The identifier of a key, if anyone holds it.
    static func living(_ primaryKey: Int64) -> NSManagedObjectID? {
        table.withLock { $0[primaryKey].flatMap(retained) }
    }

    /// Forgets an identifier that is deallocated.
    static func forget(_ identifier: NSManagedObjectID) {
        let primaryKey = identifier.key.primaryKey
        let address = address(identifier)
        table.withLock { if $0[primaryKey] == address { $0[primaryKey] = nil } }
    }

    private static func address(_ identifier: NSManagedObjectID) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(identifier).toOpaque())
    }

    /// The identifier at an address, unless it is being deallocated.
    private static func retained(_ address: UInt) -> NSManagedObjectID? {
        guard let pointer = UnsafeMutableRawPointer(bitPattern: address), swift_tryRetain(pointer) != nil else {
            return nil
        }
        return Unmanaged<NSManagedObjectID>.fromOpaque(pointer).takeRetainedValue()
    }
}
