// The parameters of the statements of a batch in their binary form, in one buffer. Filled before the first statement is
// sent, so that a value that cannot be encoded changes nothing.
import CPostgreSQL
import GraphSQL

/// Encoded parameters; reused for the next batch.
struct ParameterList {
    /// The most parameters of a statement, which the protocol counts in 16 bits.
    static let limit = 65_535

    private var bytes: [UInt8] = []
    /// The start of each value; -1 for NULL.
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Removes all values, and keeps the memory unless it is large.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: bytes.capacity < 1 << 20)
        offsets.removeAll(keepingCapacity: offsets.capacity < 1 << 16)
        lengths.removeAll(keepingCapacity: lengths.capacity < 1 << 16)
    }

    /// Encodes the values of a statement in the forms of the types.
    ///
    /// - Returns: The places of the values.
    /// - Throws: `PostgreSQLError` if a value has no such form.
    mutating func append(_ values: [SQLValue], as types: [PostgreSQLType]) throws -> Range<Int> {
        let first = offsets.count
        for (value, type) in zip(values, types) {
            if case .null = value {
                offsets.append(-1)
                lengths.append(0)
                continue
            }
            let start = bytes.count
            try ValueEncoder.append(value, as: type, to: &bytes)
            guard let length = Int32(exactly: bytes.count - start) else {
                throw ValueEncoder.tooLong(bytes.count - start)
            }
            offsets.append(start)
            lengths.append(length)
        }
        while formats.count < offsets.count - first { formats.append(1) }
        return first..<offsets.count
    }

    /// Passes the arrays that libpq requires: values, lengths, formats.
    func withPointers<R>(
        _ places: Range<Int>,
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> R
    ) -> R {
        bytes.withUnsafeBytes { bytes in
            // An empty value is not NULL, so its address must not be nil either.
            withUnsafePointer(to: 0 as CChar) { empty in
                let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? empty
                return withUnsafeTemporaryAllocation(
                    of: UnsafePointer<CChar>?.self,
                    capacity: max(1, places.count)
                ) { pointers in
                    for (index, place) in places.enumerated() {
                        let offset = offsets[place]
                        pointers.initializeElement(at: index, to: offset < 0 ? nil : base + offset)
                    }
                    return lengths.withUnsafeBufferPointer { lengths in
                        formats.withUnsafeBufferPointer { formats in
                            body(
                                pointers.baseAddress,
                                lengths.baseAddress.map { $0 + places.lowerBound },
                                formats.baseAddress
                            )
                        }
                    }
                }
            }
        }
    }
}
