// Passing over many objects without counting references to them: an atomic count costs as much as ten fields read. Used
// by saves, whose lists own their objects from the first step to the last.
import GraphEngine

extension ContiguousArray<NSManagedObject> {
    /// Calls `body` with each object, without counting a reference to it; the array owns the objects meanwhile.
    @inline(__always)
    func forEachUncounted(_ body: (NSManagedObject) throws -> Void) rethrows {
        try withUnsafeBufferPointer { objects in
            guard let first = objects.baseAddress else { return }
            // A reference and an `Unmanaged` of it are the same word.
            try first.withMemoryRebound(to: Unmanaged<NSManagedObject>.self, capacity: objects.count) { first in
                for index in 0..<objects.count { try first[index]._withUnsafeGuaranteedRef(body) }
            }
        }
    }

    /// Calls `body` with each object of a store that has own values: its place, its layout and these values.
    ///
    /// The values are owned meanwhile if a transformer, which might refresh the object, can run.
    @inline(__always)
    func forEachUncounted(
        in store: Int32,
        _ body: (Int, NSManagedObject, ObjectLayout, Edits) throws -> Void
    ) rethrows {
        var place = -1
        var latestLayout: ObjectLayout?
        var table: UnsafePointer<LayoutTable>?
        try forEachUncounted { object in
            place += 1
            guard object.table.pointee.store == store else { return }
            if object.table != table { (table, latestLayout) = (object.table, object.layout) }
            try object.withEdits { edits in
                guard let layout = latestLayout else { return }
                let owned = layout.hasTransformers ? edits : nil
                defer { withExtendedLifetime(owned) {} }
                try body(place, object, layout, edits)
            }
        }
    }

    /// Whether all objects satisfy a condition.
    @inline(__always)
    func allSatisfyUncounted(_ condition: (NSManagedObject) -> Bool) -> Bool {
        allSatisfyUncounted(0..<count, condition)
    }

    /// Whether the objects at some places satisfy a condition.
    @inline(__always)
    func allSatisfyUncounted(_ places: Range<Int>, _ condition: (NSManagedObject) -> Bool) -> Bool {
        withUnsafeBufferPointer { objects in
            guard let first = objects.baseAddress else { return true }
            return first.withMemoryRebound(to: Unmanaged<NSManagedObject>.self, capacity: objects.count) { first in
                for place in places where !first[place]._withUnsafeGuaranteedRef(condition) { return false }
                return true
            }
        }
    }
}

extension [NSManagedObject] {
    /// The place of an object, found by its address.
    func firstPlaceUncounted(of object: NSManagedObject) -> Int? {
        withUnsafeBufferPointer { objects in
            guard let first = objects.baseAddress else { return nil }
            let address = Unmanaged.passUnretained(object).toOpaque()
            return first.withMemoryRebound(to: UnsafeMutableRawPointer.self, capacity: objects.count) { first in
                UnsafeBufferPointer(start: first, count: objects.count).firstIndex(of: address)
            }
        }
    }
}

extension ContiguousArray<NSManagedObject?> {
    /// Calls `body` with each object that is not nil and its place, without counting a reference to it.
    @inline(__always)
    func forEachUncounted(_ body: (Int, NSManagedObject) throws -> Void) rethrows {
        try withUnsafeBufferPointer { objects in
            guard let first = objects.baseAddress else { return }
            // An optional reference and an optional `Unmanaged` of it are the same word.
            try first.withMemoryRebound(to: Unmanaged<NSManagedObject>?.self, capacity: objects.count) { first in
                for place in 0..<objects.count { try first[place]?._withUnsafeGuaranteedRef { try body(place, $0) } }
            }
        }
    }
}

extension NSManagedObject {
    /// Runs `body` with the object's own values, without counting a reference to them; nil if there are none.
    ///
    /// `body` must not replace them: neither refresh nor roll back the object.
    @inline(__always)
    final func withEdits<R>(_ body: (Edits) throws -> R) rethrows -> R? {
        guard let edits = content.uncountedEdits else { return nil }
        return try edits._withUnsafeGuaranteedRef(body)
    }
}
