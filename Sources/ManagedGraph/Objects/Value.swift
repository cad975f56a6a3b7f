// A property's value as the object graph keeps it. Made by accessors, by key-value coding and from row batches;
// read by validation and by the store. It knows nothing of SQL.
import Foundation

/// One property's value.
enum Value {
    /// No value of the object's own: the snapshot's holds.
    case absent
    case null
    /// Integers of every width, and booleans as 0 and 1.
    case integer(Int64)
    /// Doubles, floats, and dates as seconds since 2001-01-01 UTC.
    case real(Double)
    case string(String)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case decimal(Decimal)
    /// A transformable's value, or one of an undefined type.
    case any(AnyBox)
    /// A to-one destination that was set and not yet saved.
    case object(NSManagedObject)
    /// A to-one destination by its key, so that saved objects do not hold each other.
    case reference(ObjectKey)
    case toMany(ToManyState)

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    var isNull: Bool { if case .null = self { true } else { false } }
}

/// A box that keeps `Value` small.
final class AnyBox {
    let value: Any
    init(_ value: Any) { self.value = value }
}

/// Where an object's row is: enough to find it in a context or a store.
struct ObjectKey: Hashable, Sendable {
    /// Index of the entity in its model.
    var entity: Int32
    /// Index of the store in its coordinator; -1 for an object that was never saved.
    var store: Int32
    /// The primary key; negative for an object that was never saved.
    var primaryKey: Int64

    var isTemporary: Bool { primaryKey < 0 }
}

/// A set of property slots; entities of up to 64 properties need no allocation.
struct SlotSet: Equatable {
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    @inline(__always)
    func contains(_ slot: Int) -> Bool {
        if slot < 64 { return low & (1 << UInt64(slot)) != 0 }
        let word = slot / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(slot % 64)) != 0
    }

    /// Adds a slot; returns whether it was new.
    @inline(__always)
    @discardableResult
    mutating func insert(_ slot: Int) -> Bool {
        if slot < 64 {
            let bit: UInt64 = 1 << UInt64(slot)
            defer { low |= bit }
            return low & bit == 0
        }
        let word = slot / 64 - 1
        while high.count <= word { high.append(0) }
        let bit: UInt64 = 1 << UInt64(slot % 64)
        defer { high[word] |= bit }
        return high[word] & bit == 0
    }

    mutating func remove(_ slot: Int) {
        if slot < 64 {
            low &= ~(1 << UInt64(slot))
        } else if slot / 64 - 1 < high.count {
            high[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
        }
    }

    mutating func removeAll() {
        low = 0
        high = []
    }

    mutating func formUnion(_ other: SlotSet) {
        low |= other.low
        while high.count < other.high.count { high.append(0) }
        for word in other.high.indices { high[word] |= other.high[word] }
    }

    /// Calls `body` with each slot, ascending.
    func forEach(_ body: (Int) throws -> Void) rethrows {
        var bits = low
        while bits != 0 {
            try body(bits.trailingZeroBitCount)
            bits &= bits - 1
        }
        for word in high.indices {
            var bits = high[word]
            while bits != 0 {
                try body((word + 1) * 64 + bits.trailingZeroBitCount)
                bits &= bits - 1
            }
        }
    }
}
