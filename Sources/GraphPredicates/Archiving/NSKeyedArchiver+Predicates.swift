// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` for predicates, expressions and sort
// descriptors, with Apple's class names. Swift prefers these overloads to Foundation's method, which takes any object.

import Foundation

extension NSKeyedArchiver {
    /// Archives a predicate in the form that Apple's systems can read.
    ///
    /// - Parameters:
    ///   - object: The predicate.
    ///   - requiringSecureCoding: Whether all its constants must support secure coding.
    /// - Returns: A binary keyed archive.
    /// - Throws: Foundation's errors; `CocoaError.coderInvalidValue` if the predicate contains closures or nests too
    ///   deep.
    public class func archivedData(withRootObject object: NSPredicate, requiringSecureCoding: Bool) throws -> Data {
        // Replace constant predicates of Foundation's class by ours, which have Apple's class names.
        let node = object.node
        if case .block(let block) = node, let refusal = block.refusal {
            throw CocoaError(.coderInvalidValue, userInfo: [NSDebugDescriptionErrorKey: refusal.description])
        }
        return try named(NSPredicate.make(node), requiringSecureCoding)
    }

    /// Archives an expression in the form that Apple's systems can read.
    ///
    /// - Parameters:
    ///   - object: The expression.
    ///   - requiringSecureCoding: Whether all its constants must support secure coding.
    /// - Returns: A binary keyed archive.
    /// - Throws: Foundation's errors; `CocoaError.coderInvalidValue` if the expression contains closures.
    public class func archivedData(withRootObject object: NSExpression, requiringSecureCoding: Bool) throws -> Data {
        try named(object, requiringSecureCoding)
    }

    /// Archives several predicates, expressions or sort descriptors in the form that Apple's systems can read.
    ///
    /// - Parameters:
    ///   - object: The predicates, expressions or sort descriptors.
    ///   - requiringSecureCoding: Whether all their constants must support secure coding.
    /// - Returns: A binary keyed archive.
    /// - Throws: Foundation's errors; `CocoaError.coderInvalidValue` if one contains closures.
    public class func archivedData<Part: NSObject & NSSecureCoding>(
        withRootObject object: [Part],
        requiringSecureCoding: Bool
    ) throws -> Data {
        try named(NSArray(array: object), requiringSecureCoding)
    }

    private static func named(_ object: Any, _ requiringSecureCoding: Bool) throws -> Data {
        try PredicateArchive.withAppleNames(
            try ArchiveFailures.check {
                try archivedData(withRootObject: object, requiringSecureCoding: requiringSecureCoding)
            }
        )
    }
}
