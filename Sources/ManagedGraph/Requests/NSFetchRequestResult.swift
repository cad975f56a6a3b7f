// The protocol of the types of results that NSFetchRequest can return.
import Foundation

/// The results that a fetch can return: managed objects, their identifiers, dictionaries, counts.
public protocol NSFetchRequestResult {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
extension Dictionary: NSFetchRequestResult {}
// The result type .countResultType gives a number. Without this conformance the compiler makes its cast to Int fail.
extension Int: NSFetchRequestResult {}
