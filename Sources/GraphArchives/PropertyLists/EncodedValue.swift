// The bytes of a value in a binary property list, as a key: an array of bytes would be hashed byte by byte. Made by the
// writers of property lists and of keyed archives, which store equal values once.

/// An encoded value without members.
struct EncodedValue: Hashable {
    let bytes: [UInt8]

    init(_ value: ListValue) { bytes = BinaryPropertyListWriter.bytes(of: value) }

    func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
