// Limits how deep an archive may nest: reading a damaged or hostile archive that refers to itself would never end.
// Called whenever an archived predicate or expression is read.

import Foundation

enum ArchiveDepth {
    /// Enough for every nesting that the parser accepts.
    private static let limit = 1_100
    private static let key = "GraphPredicates.ArchiveDepth"

    /// Runs one level of reading, or fails if the archive nests too deep.
    static func level<Result>(of coder: NSCoder, _ read: () -> Result?) -> Result? {
        let storage = Thread.current.threadDictionary
        let depth = storage[key] as? Int ?? 0
        guard depth < limit else {
            coder.failWithError(
                CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: "The archive nests too deep."])
            )
            return nil
        }
        storage[key] = depth + 1
        defer { storage[key] = depth == 0 ? nil : depth }
        return read()
    }
}

extension NSCoder {
    /// The string for a key.
    func text(_ key: String) -> String? {
        (decodeObject(of: [NSString.self], forKey: key) as? NSString).map { String(describing: $0) }
    }

    func expression(_ key: String) -> ExpressionNode? {
        (decodeObject(of: [NSExpression.self], forKey: key) as? NSExpression)?.node
    }

    func expressions(_ key: String) -> [ExpressionNode]? {
        (decodeObject(of: [NSArray.self, NSExpression.self], forKey: key) as? NSArray).map { list in
            list.compactMap { ($0 as? NSExpression)?.node }
        }
    }

    func predicate(_ key: String) -> PredicateNode? {
        (decodeObject(of: [NSPredicate.self], forKey: key) as? NSPredicate)?.node
    }
}
