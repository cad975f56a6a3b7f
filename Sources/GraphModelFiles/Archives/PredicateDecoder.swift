// A coder that reads predicates and expressions from a keyed archive as format strings. Foundation's unarchiver traps
// on a damaged archive; this coder returns nil, and limits the depth and the number of objects. Used for models.
import Foundation
import GraphArchives
import GraphPredicates

/// Presents one object of an archive to the decoders of predicates.
final class PredicateDecoder: NSCoder {
    /// The number of objects that may still be read; an object with several references is read once for each.
    private final class Budget {
        var objects = 50_000
    }

    private static let depthLimit = 150

    private let archive: KeyedArchive
    private let object: KeyedArchive.Object
    private let depth: Int
    private let budget: Budget

    private init(_ archive: KeyedArchive, _ object: KeyedArchive.Object, depth: Int, budget: Budget) {
        self.archive = archive
        self.object = object
        self.depth = depth
        self.budget = budget
    }

    /// The format of an archived predicate, or nil if it is unreadable.
    static func predicateFormat(_ reference: ListValue, of archive: KeyedArchive) -> String? {
        (decode(reference, archive, depth: 0, Budget()) as? NSPredicate)?.printedFormat
    }

    /// The format of an archived expression, or nil if it is unreadable.
    static func expressionFormat(_ reference: ListValue, of archive: KeyedArchive) -> String? {
        (decode(reference, archive, depth: 0, Budget()) as? GraphPredicates.NSExpression)?.description
    }

    private static func decode(_ reference: ListValue, _ archive: KeyedArchive, depth: Int, _ budget: Budget) -> Any? {
        budget.objects -= 1
        guard depth < depthLimit, budget.objects > 0 else { return nil }
        guard let object = archive.object(reference) else { return ArchivedPlainValue.value(reference, of: archive) }
        let coder = PredicateDecoder(archive, object, depth: depth, budget: budget)
        if let part = PredicateArchive.part(named: object.className, coder: coder) { return part }
        guard ["NSArray", "NSMutableArray"].contains(object.className) else {
            return ArchivedPlainValue.value(reference, of: archive)
        }
        let references = archive.members(object)
        let members = references.compactMap { decode($0, archive, depth: depth + 1, budget) }
        return members.count == references.count ? NSArray(array: members) : nil
    }

    // MARK: NSCoder overrides

    override var allowsKeyedCoding: Bool { true }

    override var requiresSecureCoding: Bool { false }

    override func containsValue(forKey key: String) -> Bool { object.entries[key] != nil }

    override func decodeObject(forKey key: String) -> Any? {
        object.entries[key].flatMap { Self.decode($0, archive, depth: depth + 1, budget) }
    }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? {
        let value = decodeObject(forKey: key)
        // The decoders expect Foundation's strings.
        return (value as? String).map { NSString(string: $0) } ?? value
    }

    override func decodeInteger(forKey key: String) -> Int { archive.integer(key, of: object) ?? 0 }

    override func decodeBool(forKey key: String) -> Bool { archive.flag(key, of: object) }

    override func failWithError(_ error: any Error) {}
}
