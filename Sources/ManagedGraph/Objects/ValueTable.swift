// An object's own values as plain memory: their number, then the values. Owned by edits or their extension, which free
// it; nothing else keeps it, so that setting a value neither counts references nor checks for copies.

/// Values by slot.
struct ValueTable {
    private let memory: UnsafeMutableRawPointer

    private static let headerSize = MemoryLayout<Int>.stride

    /// Makes a table of values that are absent.
    init(count: Int) {
        self.init(capacity: count)
        values.initialize(repeating: .absent, count: count)
    }

    /// Makes a table of values.
    ///
    /// If they are plain, their bytes are copied: initializing a value each costs as much as the allocation.
    init(_ values: UnsafeBufferPointer<Value>, arePlain: Bool) {
        self.init(capacity: values.count)
        guard let base = values.baseAddress else { return }
        if arePlain {
            UnsafeMutableRawPointer(self.values)
                .copyMemory(from: base, byteCount: values.count * MemoryLayout<Value>.stride)
        } else {
            self.values.initialize(from: base, count: values.count)
        }
    }

    private init(capacity: Int) {
        memory = .allocate(
            byteCount: Self.headerSize + capacity * MemoryLayout<Value>.stride,
            alignment: max(Self.headerSize, MemoryLayout<Value>.alignment)
        )
        memory.storeBytes(of: capacity, as: Int.self)
    }

    /// Whether a value is present, without a copy of it.
    @inline(__always)
    func presence(_ slot: Int) -> ValuePresence {
        switch values[slot] {
        case .absent: .absent
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        default: .other
        }
    }

    /// The table at an address that another one has given.
    @inline(__always)
    init(address: UInt) {
        // An address of a table is never 0.
        memory = UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
    }

    @inline(__always) var address: UInt { UInt(bitPattern: memory) }

    @inline(__always) var count: Int { memory.load(as: Int.self) }

    @inline(__always)
    private var values: UnsafeMutablePointer<Value> {
        (memory + Self.headerSize).assumingMemoryBound(to: Value.self)
    }

    @inline(__always)
    subscript(slot: Int) -> Value {
        get {
            assert(slot < count)
            return values[slot]
        }
        nonmutating set {
            assert(slot < count)
            // The former value is released last: that may run any code.
            let former = (values + slot).move()
            (values + slot).initialize(to: newValue)
            withExtendedLifetime(former) {}
        }
    }

    /// All values; they must not outlive the table.
    @inline(__always)
    var all: UnsafeMutableBufferPointer<Value> { UnsafeMutableBufferPointer(start: values, count: count) }

    func free() {
        for slot in 0..<count where !values[slot].isPlain { (values + slot).deinitialize(count: 1) }
        memory.deallocate()
    }
}
