// The base of the results of requests.
import Foundation

/// The result of a request other than a fetch of objects.
open class NSPersistentStoreResult: NSObject {}
