// A property of an object of a save in an event, with its values. Part of `StoreActivity`.
import Foundation

extension StoreActivity {
    /// A property that a save has changed, with its value before and after.
    ///
    /// The value of an attribute is the one that key-value coding returns, that of a to-one relationship an
    /// `NSManagedObjectID`. Values of to-many relationships and of transformable attributes are not recorded.
    public struct PropertyChange: @unchecked Sendable {
        // Unchecked: attributes have values of immutable types, and objects are recorded as identifiers.
        /// The name of the property.
        public let name: String
        /// The value before the save; nil if there was none, as in a new object.
        public let before: Any?
        /// The value after the save; nil if there is none, as in a deleted object.
        public let after: Any?
        /// Whether the values are recorded.
        public let isRecorded: Bool

        init(_ name: String, before: Any? = nil, after: Any? = nil, isRecorded: Bool = true) {
            self.name = name
            self.before = before
            self.after = after
            self.isRecorded = isRecorded
        }

        /// The change with the identifiers that related objects have now, after the save.
        func identified() -> PropertyChange {
            PropertyChange(name, before: Self.value(before), after: Self.value(after), isRecorded: isRecorded)
        }

        private static func value(_ value: Any?) -> Any? {
            if let object = value as? NSManagedObject { return object.objectID }
            return value
        }
    }
}
