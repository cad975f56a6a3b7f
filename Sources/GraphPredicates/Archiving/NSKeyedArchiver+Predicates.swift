// `NSKeyedArchiver.archivedData(withRootObject:requiringSecureCoding:)` for what predicates are made of: Apple's class names
// in the archive. Swift prefers these to Foundation's method, which takes any object.

import Foundation

extension NSKeyedArchiver {
    /// The archive of a predicate, which Apple's systems can read.
    ///
    /// - Parameters:
    ///   - object: the predicate.
    ///   - requiringSecureCoding: whether all its constants must support secure coding.
    /// - Returns: a binary keyed archive.
    /// - Throws: what Foundation reports; `CocoaError.coderInvalidValue` for what is made of closures, or is nested too
    ///   deep.
    public class func archivedData(withRootObject object: NSPredicate, requiringSecureCoding: Bool) throws -> Data {
        // Constants of Foundation's become ours, which have Apple's names.
        let node = object.node
        if case .block(let block) = node, let refusal = block.refusal {
            throw CocoaError(.coderInvalidValue, userInfo: [NSDebugDescriptionErrorKey: refusal.description])
        }
        return try named(NSPredicate.make(node), requiringSecureCoding)
    }

    /// The archive of an expression, which Apple's systems can read.
    ///
    /// - Parameters:
    ///   - object: the expression.
    ///   - requiringSecureCoding: whether all its constants must support secure coding.
    /// - Returns: a binary keyed archive.
    /// - Throws: what Foundation reports; `CocoaError.coderInvalidValue` for what is made of closures.
    public class func archivedData(withRootObject object: NSExpression, requiringSecureCoding: Bool) throws -> Data {
        try named(object, requiringSecureCoding)
    }

    /// The archive of several predicates or expressions, which Apple's systems can read.
    ///
    /// - Parameters:
    ///   - object: the predicates, expressions or sort descriptors.
    ///   - requiringSecureCoding: whether all their constants must support secure coding.
    /// - Returns: a binary keyed archive.
    /// - Throws: what Foundation reports; `CocoaError.coderInvalidValue` for what is made of closures.
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
