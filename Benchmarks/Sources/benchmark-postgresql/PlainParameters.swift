// Parameters of libpq's statements.

/// Values of one statement in binary form.
struct PlainParameters {
    private(set) var bytes: [UInt8] = []
    private(set) var lengths: [Int32] = []

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
        lengths.append(Int32(value.bitWidth / 8))
    }

    mutating func append(_ value: Double) { append(value.bitPattern) }
    mutating func append(_ value: Bool) { append((value ? 1 : 0) as UInt8) }
}
