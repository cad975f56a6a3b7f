// The word by which an object finds its context. Owned by a managed object; read through its `registry` and `storeLink`.

/// The registry of an object's context or, once the object has left the context, the link of its former store.
struct ObjectHome {
    /// The address of the registry, that of the link with its lowest bit set, or 0; retained by the object.
    private var bits: UInt = 0

    @inline(__always)
    var registry: ObjectRegistry? {
        guard bits & 1 == 0, let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
        return Unmanaged<ObjectRegistry>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Runs `body` with the registry, if there is one, without retaining it.
    @inline(__always)
    func withRegistry(_ body: (ObjectRegistry) -> Void) {
        guard bits & 1 == 0, let pointer = UnsafeRawPointer(bitPattern: bits) else { return }
        Unmanaged<ObjectRegistry>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    /// Whether the word refers to this registry.
    @inline(__always)
    func isRegistry(_ registry: ObjectRegistry) -> Bool {
        bits == UInt(bitPattern: Unmanaged.passUnretained(registry).toOpaque())
    }

    /// The link of the store that the object was in when it left its context.
    var link: StoreLink? {
        guard bits & 1 == 1, let pointer = UnsafeRawPointer(bitPattern: bits & ~1) else { return nil }
        return Unmanaged<StoreLink>.fromOpaque(pointer).takeUnretainedValue()
    }

    @inline(__always)
    mutating func enter(_ registry: ObjectRegistry) {
        let former = self
        bits = UInt(bitPattern: Unmanaged.passRetained(registry).toOpaque())
        former.release()
    }

    mutating func leave(for link: StoreLink?) {
        let former = self
        bits = link.map { UInt(bitPattern: Unmanaged.passRetained($0).toOpaque()) | 1 } ?? 0
        former.release()
    }

    /// Releases the registry or the link; the word must not be read after that.
    @inline(__always)
    func release() {
        guard let pointer = UnsafeRawPointer(bitPattern: bits & ~1) else { return }
        if bits & 1 == 0 {
            Unmanaged<ObjectRegistry>.fromOpaque(pointer).release()
        } else {
            Unmanaged<StoreLink>.fromOpaque(pointer).release()
        }
    }
}
