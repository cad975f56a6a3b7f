// How an object lies in a value of the type Any: asking Swift costs more than a predicate's comparison does. Used by SlotPlan.
//
// A value of the type Any is three words for what it holds and a fourth for its type; of a class, the first is the
// reference. The first word of an object is its class, but on Apple's systems, where it may have other bits too.

import Foundation

/// The types by which objects of one class are recognized.
struct ObjectBox: Equatable, Sendable {
    /// Recognizes nothing.
    static let none = ObjectBox(boxedType: 0, objectType: 0)

    private static let typeOffset = 3 * MemoryLayout<UInt>.size

    /// The type under which the object was given, its class or one above it; 0 for none.
    private let boxedType: UInt
    private let objectType: UInt

    private init(boxedType: UInt, objectType: UInt) {
        self.boxedType = boxedType
        self.objectType = objectType
    }

    /// Recognizes objects like this one, whose type must be a class.
    init(_ object: Any) {
        #if canImport(ObjectiveC)
            self = .none
        #else
            // As an optional: of the type Any alone, Swift would hand over what it holds.
            let given: Any? = object
            self = withUnsafeBytes(of: given) { box in
                ObjectBox(
                    boxedType: box.load(fromByteOffset: Self.typeOffset, as: UInt.self),
                    objectType: box.load(as: UnsafeRawPointer.self).load(as: UInt.self)
                )
            }
        #endif
    }

    /// The reference of an object that is recognized, otherwise nil; valid as long as the value is.
    @inline(__always)
    func reference(_ object: UnsafePointer<Any?>) -> Unmanaged<AnyObject>? {
        let box = UnsafeRawPointer(object)
        // Only behind a class's type is the first word a reference; the type of nil is 0.
        guard boxedType != 0, box.load(fromByteOffset: Self.typeOffset, as: UInt.self) == boxedType else { return nil }
        let reference = box.load(as: UnsafeRawPointer.self)
        guard reference.load(as: UInt.self) == objectType else { return nil }
        return Unmanaged.fromOpaque(reference)
    }

    /// The reference of a value, if its type is a class.
    static func reference(_ object: Any) -> Unmanaged<AnyObject>? {
        guard Swift.type(of: object) is AnyClass else { return nil }
        let given: Any? = object
        return withUnsafeBytes(of: given) { $0.load(as: Unmanaged<AnyObject>.self) }
    }
}
