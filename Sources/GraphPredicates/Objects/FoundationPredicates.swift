// Repairs Foundation's predicates outside Apple's platforms: a compound created with `andPredicateWithSubpredicates:`
// prints as FALSEPREDICATE there and equals every other compound. Apps create such objects without a call to this
// module, so it replaces the methods in Foundation's classes, once: when it creates its first predicate, or reads the
// first one of Foundation's.

import Foundation

enum FoundationPredicates {
    /// Replaces the methods, unless Foundation is Apple's.
    static func install() { _ = installed }

    private static let installed: Void = {
        #if !canImport(ObjectiveC)
            replace(NSCompoundPredicate.self, unchanged: PlainCompound.self, changed: PrintingCompound.self)
            replace(NSPredicate.self, unchanged: PlainPredicate.self, changed: PrintingPredicate.self)
        #endif
    }()

    /// Replaces methods of a class by those that one of its subclasses overrides.
    ///
    /// Compares the class with two subclasses, word by word: a word that differs in the overriding subclass only is an
    /// overridden method in the class's table. Changes nothing if a table is not as expected.
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

    /// The first word after a class's header, whatever its superclass.
    private static let firstMember = 8
    /// The maximum number of methods that the classes below override.
    private static let greatestNumber = 7

    private static func table(of type: AnyClass) -> UnsafeMutablePointer<UInt> {
        unsafeBitCast(type, to: UnsafeMutablePointer<UInt>.self)
    }

    /// The words of a class after its address: the low half of the fifth word is its size in bytes, the high half the
    /// number of bytes before the address.
    private static func words(of type: AnyClass) -> Int {
        let sizes = table(of: type)[4]
        return (Int(UInt32(truncatingIfNeeded: sizes)) - Int(sizes >> 32)) / MemoryLayout<UInt>.size
    }
}

private final class PlainCompound: NSCompoundPredicate {}

private final class PlainPredicate: NSPredicate {}

/// The overrides for NSCompoundPredicate; this class has no instances.
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

/// The overrides for NSPredicate, which Foundation instantiates for constants and closures.
private final class PrintingPredicate: NSPredicate {
    override var description: String { printedFormat }
    override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    override var hash: Int { node.hashValue }
}
