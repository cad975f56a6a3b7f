// What Foundation's own predicates lack off Apple's systems: a compound made with `andPredicateWithSubpredicates:` prints as
// FALSEPREDICATE there, and equals every other compound. Such objects are made without any call to this module, so the
// methods themselves are replaced, in Foundation's classes, once. Installed when the first predicate of this module is
// made, or the first one of Foundation's is read.

import Foundation

enum FoundationPredicates {
    /// Replaces the methods, where Foundation is not Apple's.
    static func install() { _ = installed }

    private static let installed: Void = {
        #if !canImport(ObjectiveC)
            replace(NSCompoundPredicate.self, unchanged: PlainCompound.self, changed: PrintingCompound.self)
            replace(NSPredicate.self, unchanged: PlainPredicate.self, changed: PrintingPredicate.self)
        #endif
    }()

    /// Gives a class the methods that one of its subclasses replaces.
    ///
    /// Two subclasses are compared with it, word for word: where the one that replaces methods differs, and the other
    /// does not, the class's table has a replaced method. Nothing is changed where a table is not as expected.
    private static func replace(_ type: AnyClass, unchanged: AnyClass, changed: AnyClass) {
        let count = words(of: type)
        guard count == words(of: unchanged), count == words(of: changed) else { return }
        let (methods, plain, replacing) = (table(of: type), table(of: unchanged), table(of: changed))
        let places = (firstMember..<max(firstMember, count)).filter {
            plain[$0] == methods[$0] && replacing[$0] != methods[$0]
        }
        guard places.count <= greatestNumber else { return }
        for place in places { methods[place] = replacing[place] }
    }

    /// The first word behind a class's header, whatever the class inherits.
    private static let firstMember = 8
    /// How many methods the classes below replace at most.
    private static let greatestNumber = 7

    private static func table(of type: AnyClass) -> UnsafeMutablePointer<UInt> {
        unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self)
    }

    /// The words of a class behind its address: of the fifth, the low half is its size in bytes, the high half the number
    /// of bytes before the address.
    private static func words(of type: AnyClass) -> Int {
        let sizes = table(of: type)[4]
        return (Int(UInt32(truncatingIfNeeded: sizes)) - Int(sizes >> 32)) / MemoryLayout<UInt>.size
    }
}

private final class PlainCompound: NSCompoundPredicate {}

private final class PlainPredicate: NSPredicate {}

/// The methods that NSCompoundPredicate gets; no object is of this class.
private final class PrintingCompound: NSCompoundPredicate {
    override var predicateFormat: String { printedFormat }
    override var description: String { printedFormat }
    override func copy(with zone: NSZone?) -> Any { self }
    override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    override var hash: Int { node.hashValue }
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        DeepCompound.evaluate(self, object, bindings)
    }
}

/// The methods that NSPredicate gets, which Foundation makes of constants and closures.
private final class PrintingPredicate: NSPredicate {
    override var description: String { printedFormat }
    override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    override var hash: Int { node.hashValue }
}
