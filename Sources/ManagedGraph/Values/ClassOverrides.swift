// Which methods a subclass replaces, as far as the framework can then do without calling them. Asked once for each entity
// when a model is compiled.
import Foundation

/// What subclasses of managed objects replace.
enum ClassOverrides {
    /// Whether a class, or one above it, replaces `validateValue(_:forKey:)`: the save then calls it for every property.
    ///
    /// True too where the run-time tables are not as expected.
    static func replacesValidateValue(_ type: NSManagedObject.Type) -> Bool {
        guard type != NSManagedObject.self, let place = validateValuePlace else { return type != NSManagedObject.self }
        return word(place, of: type) != word(place, of: NSManagedObject.self)
    }

    /// Where the method stands in the table of a class: the one place at which a class that replaces it, and nothing else,
    /// differs from one that replaces nothing.
    private static let validateValuePlace: Int? = {
        let places = (2..<words(of: NSManagedObject.self)).filter { place in
            let inherited = word(place, of: NSManagedObject.self)
            return word(place, of: PlainObject.self) == inherited && word(place, of: ValidatingObject.self) != inherited
        }
        return places.count == 1 ? places[0] : nil
    }()

    /// A word behind the address by which a class is known.
    private static func word(_ place: Int, of type: NSManagedObject.Type) -> UInt {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self)[place]
    }

    /// The words of a class behind its address, from its header.
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
}

private final class PlainObject: NSManagedObject {}

private final class ValidatingObject: NSManagedObject {
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
    }
}
