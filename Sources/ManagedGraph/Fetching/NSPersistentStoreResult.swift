// A fetch that reads its rows while the context's queue does other work. Beside `NSAsynchronousFetchRequest`.
import Foundation

/// The result of a request other than a fetch of objects.
open class NSPersistentStoreResult: NSObject {}
