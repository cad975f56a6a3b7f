// The type of an attribute by its newer name, `NSAttributeDescription.AttributeType`.
extension NSAttributeDescription {
    /// The type of an attribute's values; the raw values are those of `NSAttributeType`.
    public struct AttributeType: RawRepresentable, Hashable, Sendable {
        /// The number of the type.
        public var rawValue: UInt

        /// Makes a type from its number.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// No type; only for transient attributes.
        public static let undefined = AttributeType(rawValue: 0)
        /// A 16-bit integer.
        public static let integer16 = AttributeType(rawValue: 100)
        /// A 32-bit integer.
        public static let integer32 = AttributeType(rawValue: 200)
        /// A 64-bit integer.
        public static let integer64 = AttributeType(rawValue: 300)
        /// A decimal number.
        public static let decimal = AttributeType(rawValue: 400)
        /// A double precision number.
        public static let double = AttributeType(rawValue: 500)
        /// A single precision number.
        public static let float = AttributeType(rawValue: 600)
        /// Text.
        public static let string = AttributeType(rawValue: 700)
        /// A Boolean value.
        public static let boolean = AttributeType(rawValue: 800)
        /// A moment in time.
        public static let date = AttributeType(rawValue: 900)
        /// Bytes.
        public static let binaryData = AttributeType(rawValue: 1000)
        /// A UUID.
        public static let uuid = AttributeType(rawValue: 1100)
        /// A URL.
        public static let uri = AttributeType(rawValue: 1200)
        /// An object that a value transformer turns into bytes.
        public static let transformable = AttributeType(rawValue: 1800)
        /// An object ID; not for attributes of a store.
        public static let objectID = AttributeType(rawValue: 2000)
        /// A group of attributes.
        public static let composite = AttributeType(rawValue: 2100)
    }
}
