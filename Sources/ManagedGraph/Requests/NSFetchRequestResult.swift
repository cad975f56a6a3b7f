// Used with `NSPersistentStoreRequest`.
import Foundation

/// The results that a fetch can return: managed objects, their identifiers, dictionaries, counts.
public protocol NSFetchRequestResult {}
