// The methods that a subclass overrides, if the framework can skip them otherwise. Read once for each entity when a
// model is compiled, and when a predicate first evaluates an object of a class.
import Foundation

/// The methods that subclasses of managed objects override.
enum ClassOverrides {
    /// Whether a class, or one above it, replaces `validateValue(_:forKey:)`: the save then calls it for every
    /// property.
    ///
    /// True too if the run-time tables are not as expected.
    static func replacesValidateValue(_ type: NSManagedObject.Type) -> Bool { replaces(validateValuePlace, type) }

    /// Whether a class, or one above it, replaces the form of `validateValue(_:forKey:)` that takes a pointer.
    ///
    /// False if the run-time tables are not as expected: the other form then validates.
    static func replacesPointerValidation(_ type: NSManagedObject.Type) -> Bool {
        pointerValidationPlace != nil && replaces(pointerValidationPlace, type)
    }

    /// Whether a class, or one above it, replaces `value(forKey:)`: predicates then call it for every key.
    ///
    /// True too if the run-time tables are not as expected.
    static func replacesValueForKey(_ type: NSManagedObject.Type) -> Bool { replaces(valueForKeyPlace, type) }

    private static let validateValuePlace = place(ValidatingObject.self)
    #if canImport(ObjectiveC)
        private static let pointerValidationPlace: Int? = nil
    #else
        private static let pointerValidationPlace = place(PointerValidatingObject.self)
    #endif
    private static let valueForKeyPlace = place(AnsweringObject.self)

    /// Whether a class has another method at a place than the class that all inherit from.
    private static func replaces(_ place: Int?, _ type: NSManagedObject.Type) -> Bool {
        guard type != NSManagedObject.self, let place else { return type != NSManagedObject.self }
        return word(place, of: type) != word(place, of: NSManagedObject.self)
    }

    /// The position of the overridden method in the class's table: the one place at which the class, and not one that
    /// replaces nothing, differs from the class that all inherit from.
    private static func place(_ replacing: NSManagedObject.Type) -> Int? {
        let places = (2..<words(of: NSManagedObject.self)).filter { place in
            let inherited = word(place, of: NSManagedObject.self)
            return word(place, of: PlainObject.self) == inherited && word(place, of: replacing) != inherited
        }
        return places.count == 1 ? places[0] : nil
    }

    /// A word after the address of a class.
    private static func word(_ place: Int, of type: NSManagedObject.Type) -> UInt {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self)[place]
    }

    /// The number of words of a class after its address, from its header.
    ///
    /// | offset in words, without Objective-C | content |
    /// | --- | --- |
    /// | 4, low half | size of the class in bytes |
    /// | 4, high half | bytes before its address |
    private static func words(of type: NSManagedObject.Type) -> Int {
        #if canImport(ObjectiveC)
            let sizes = word(7, of: type)
        #else
            let sizes = word(4, of: type)
        #endif
        return (Int(UInt32(truncatingIfNeeded: sizes)) - Int(sizes >> 32)) / MemoryLayout<UInt>.size
    }

    private final class PlainObject: NSManagedObject {}

    private final class ValidatingObject: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws {
            try super.validateValue(&value, forKey: key)
        }
    }

    #if !canImport(ObjectiveC)
        private final class PointerValidatingObject: NSManagedObject {
            override func validateValue(
                _ value: AutoreleasingUnsafeMutablePointer<AnyObject?>,
                forKey key: String
            ) throws {
                try super.validateValue(value, forKey: key)
            }
        }
    #endif

    private final class AnsweringObject: NSManagedObject {
        override func value(forKey key: String) -> Any? { super.value(forKey: key) }
    }
}
