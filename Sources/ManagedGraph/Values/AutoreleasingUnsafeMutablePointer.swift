// The pointer type in the signature of `validate<Key>` methods. The standard library has it on Apple's systems only.
#if !canImport(ObjectiveC)
    /// A place that holds a value while a `validate<Key>(_:)` method reads it and may replace it.
    public struct AutoreleasingUnsafeMutablePointer<Pointee> {
        private final class Box {
            var value: Pointee
            /// The value that became the object `value`, which may not be cast back to its type.
            var source: (value: Any?, object: Pointee)?
            init(_ value: Pointee) { self.value = value }
        }

        private let box: Box

        /// Makes a place with a value in it.
        ///
        /// - Parameter value: The value.
        public init(_ value: Pointee) {
            box = Box(value)
        }

        /// The value.
        public var pointee: Pointee {
            get { box.value }
            nonmutating set { box.value = newValue }
        }
    }

    extension AutoreleasingUnsafeMutablePointer where Pointee == AnyObject? {
        /// Makes a place with the object of a variable, as `AutoreleasingUnsafeMutablePointer(&object)`.
        ///
        /// A replacement is put in the place alone: read `pointee` for it.
        ///
        /// - Parameter from: The variable.
        public init<Object: AnyObject>(_ from: UnsafeMutablePointer<Object>) {
            self.init(from.pointee)
        }

        /// Makes a place with the object of a variable, or with nil.
        ///
        /// - Parameter from: The variable.
        public init<Object: AnyObject>(_ from: UnsafeMutablePointer<Object?>) {
            self.init(from.pointee)
        }

        /// Lets a `validate<Key>` method check a value, and returns its replacement.
        ///
        /// - Parameters:
        ///   - value: The value, replaced if the method put another one in its place.
        ///   - body: Calls the method with the place.
        /// - Throws: The errors of the method; the value is then left as it was.
        public static func withValue(_ value: inout Any?, _ body: (Self) throws -> Void) rethrows {
            let before = value.map { $0 as AnyObject }
            let place = Self(before)
            place.box.source = (value, before)
            try body(place)
            if place.pointee !== before { value = place.pointee }
        }

        /// The value, of the type that it has in its property unless a method has replaced it.
        var value: Any? {
            if let source = box.source, source.object === pointee { return source.value }
            return pointee
        }
    }
#endif
