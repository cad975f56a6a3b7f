// Repairs Foundation's predicates outside Apple's platforms: a compound created with `andPredicateWithSubpredicates:`
// prints as FALSEPREDICATE there and equals every other compound. Apps create such objects without a call to this
// module, so it replaces the methods in Foundation's classes, once: when it creates its first predicate, or reads the
// first one of Foundation's.

import Foundation
import Synchronization

enum FoundationPredicates {
    /// Replaces the methods, unless Foundation is Apple's.
    static func install() { _ = installed }

    private static let installed: [Replacement] = {
        #if canImport(ObjectiveC)
            []
        #else
            let predicates = replacements(NSPredicate.self, PlainPredicate.self, PrintingPredicate.self)
            let compounds = replacements(NSCompoundPredicate.self, PlainCompound.self, PrintingCompound.self)
            replace(predicates, in: NSPredicate.self)
            replace(compounds, in: NSCompoundPredicate.self)
            return compounds
        #endif
    }()

    /// Whether a class of compounds, perhaps an app's, evaluates as its subpredicates do.
    ///
    /// Replaces the methods that an app's class inherits when it is first met: its table is a copy of Foundation's.
    static func isPlainCompound(_ type: AnyClass) -> Bool {
        if type == NSCompoundPredicate.self { return true }
        return appClasses.withLock { known in
            if let isPlain = known[ObjectIdentifier(type)] { return isPlain }
            replace(installed, in: type)
            let isPlain = evaluation.map { table(of: type)[$0.place] == $0.method } ?? true
            known[ObjectIdentifier(type)] = isPlain
            return isPlain
        }
    }

    /// Whether an app's classes of compounds are plain.
    private static let appClasses = Mutex<[ObjectIdentifier: Bool]>([:])

    /// The replacement of a compound's `evaluate(with:substitutionVariables:)`; nil if none is made.
    private static let evaluation: Replacement? = {
        let (plain, overriding) = (table(of: PlainCompound.self), table(of: EvaluatingCompound.self))
        return installed.first { plain[$0.place] != overriding[$0.place] }
    }()

    /// A method of a class's table, and the one that replaces it.
    private struct Replacement {
        let place: Int
        let inherited: UInt
        let method: UInt
    }

    /// The methods of a class that one of its subclasses overrides.
    ///
    /// Compares the class with two subclasses, word by word: a word that differs in the overriding subclass only is an
    /// overridden method in the class's table. Empty if a table is not as expected.
    private static func replacements(_ type: AnyClass, _ unchanged: AnyClass, _ changed: AnyClass) -> [Replacement] {
        let count = words(of: type)
        guard count == words(of: unchanged), count == words(of: changed) else { return [] }
        let (methods, plain, replacing) = (table(of: type), table(of: unchanged), table(of: changed))
        let places = (firstMember..<max(firstMember, count)).filter {
            plain[$0] == methods[$0] && replacing[$0] != methods[$0]
        }
        guard places.count <= greatestNumber else { return [] }
        return places.map { Replacement(place: $0, inherited: methods[$0], method: replacing[$0]) }
    }

    /// Replaces the methods that a class inherits.
    private static func replace(_ replacements: [Replacement], in type: AnyClass) {
        let methods = table(of: type)
        for replacement in replacements where methods[replacement.place] == replacement.inherited {
            methods[replacement.place] = replacement.method
        }
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

    private final class PlainCompound: NSCompoundPredicate {}

    private final class PlainPredicate: NSPredicate {}

    /// Differs from PlainCompound in one method.
    private final class EvaluatingCompound: NSCompoundPredicate {
        override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool { false }
    }

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
}
