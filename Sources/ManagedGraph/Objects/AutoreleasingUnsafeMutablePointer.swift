// The pointer type in the signature of `validate<Key>` methods. The standard library has it on Apple's systems only.
#if !canImport(ObjectiveC)
    /// A place that holds a value while a `validate<Key>(_:)` method looks at it, and may put another one in.
    public struct AutoreleasingUnsafeMutablePointer<Pointee> {
        private final class Box {
            var value: Pointee
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
#endif
