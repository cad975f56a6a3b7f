// Fetch requests of one result type as requests of another. Stores of the program's own classes call it for the requests
// that they execute, and programs for templates of the model: in Objective-C the result type exists at compile time only.
import Foundation

/// Returns a fetch request as a request for results of another type, which is a plain cast on Apple's platforms.
///
/// - Parameters:
///   - request: A request, or nil.
///   - type: The type of request.
/// - Returns: The request itself if it is of the type, otherwise an equal one; nil if it is not a fetch request.
public func castFetchRequest<ResultType>(
    _ request: Any?,
    to type: NSFetchRequest<ResultType>.Type
) -> NSFetchRequest<ResultType>? {
    guard let request else { return nil }
    if let request = request as? NSFetchRequest<ResultType> { return request }
    guard let request = request as? any CopyableFetchRequest else { return nil }
    let copy = NSFetchRequest<ResultType>()
    request.copyContents(to: copy)
    return copy
}

/// A request of any result type.
private protocol CopyableFetchRequest {
    func copyContents<Other>(to copy: NSFetchRequest<Other>)
}

extension NSFetchRequest: CopyableFetchRequest {}
