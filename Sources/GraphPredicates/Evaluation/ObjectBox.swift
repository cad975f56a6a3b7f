// The layout of an object in a value of the type Any, as a cast costs more than a comparison. Used by SlotPlan.
//
// A value of the type Any is three words of payload and a word for its type; if the type is a class, the first word is
// the reference. The first word of an object is its class; on Apple's systems it may have other bits too.

import Foundation

/// The pair of types that identifies objects of one class.
struct ObjectBox: Equatable, Sendable {
    /// Matches no object.
    static let none = ObjectBox(boxedType: 0, objectType: 0)

    private static let typeOffset = 3 * MemoryLayout<UInt>.size

    /// The static type of the boxed object, its class or a superclass; 0 for none.
    private let boxedType: UInt
    private let objectType: UInt

    private init(boxedType: UInt, objectType: UInt) {
        self.boxedType = boxedType
        self.objectType = objectType
    }

    /// Matches objects like this one, whose type must be a class.
    init(_ object: Any) {
        #if canImport(ObjectiveC)
            self = .none
        #else
            // An optional, as withUnsafeBytes would pass the payload of a plain Any.
            let boxed: Any? = object
            self = withUnsafeBytes(of: boxed) { box in
                ObjectBox(
                    boxedType: box.load(fromByteOffset: Self.typeOffset, as: UInt.self),
                    objectType: box.load(as: UnsafeRawPointer.self).load(as: UInt.self)
                )
            }
        #endif
    }

    /// The reference of a matching object, otherwise nil; valid as long as the value is.
    @inline(__always)
    func reference(_ object: UnsafePointer<Any?>) -> Unmanaged<AnyObject>? {
        let box = UnsafeRawPointer(object)
        // The first word is a reference only if the type is a class; the type of nil is 0.
        guard boxedType != 0, box.load(fromByteOffset: Self.typeOffset, as: UInt.self) == boxedType else { return nil }
        let reference = box.load(as: UnsafeRawPointer.self)
        guard reference.load(as: UInt.self) == objectType else { return nil }
        return Unmanaged.fromOpaque(reference)
    }

    /// The reference of a value, if its type is a class.
    static func reference(_ object: Any) -> Unmanaged<AnyObject>? {
        guard Swift.type(of: object) is AnyClass else { return nil }
        let boxed: Any? = object
        return withUnsafeBytes(of: boxed) { $0.load(as: Unmanaged<AnyObject>.self) }
    }
}
