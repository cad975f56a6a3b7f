// Results controllers of one result type as controllers of another. Programs call it in delegates, and for delegates'
// methods that they call themselves: in Objective-C the result type exists at compile time only.
import Foundation

/// Returns a results controller as one for results of another type, which is a plain cast on Apple's platforms.
///
/// Swift's own casts see the static type of the controller that a delegate receives, and fail.
///
/// - Parameters:
///   - controller: A results controller, or nil.
///   - type: The type of controller.
/// - Returns: The controller itself if it was made for the type, or if the type is that of the delegate's parameters,
///   `NSFetchedResultsController<any NSFetchRequestResult>`; otherwise nil.
@inline(never)
public func castFetchedResultsController<ResultType>(
    _ controller: Any?,
    to type: NSFetchedResultsController<ResultType>.Type
) -> NSFetchedResultsController<ResultType>? {
    guard let controller, let controller = (controller as AnyObject) as? any CastableController else { return nil }
    return controller.cast(to: ResultType.self)
}

/// A controller of any result type.
private protocol CastableController: AnyObject {
    func cast<Other>(to type: Other.Type) -> NSFetchedResultsController<Other>?
}

extension NSFetchedResultsController: CastableController {
    /// The same object under another static type: sound for the types that the controller answers with, as `erased` is.
    fileprivate func cast<Other>(to type: Other.Type) -> NSFetchedResultsController<Other>? {
        guard Other.self == ResultType.self || Other.self == (any NSFetchRequestResult).self else { return nil }
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        return Unmanaged<NSFetchedResultsController<Other>>.fromOpaque(pointer).takeUnretainedValue()
    }
}
