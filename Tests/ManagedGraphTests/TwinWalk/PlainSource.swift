// An object's committed values in the plain model, and the store that holds them. Beside `TwinRow`.
import Foundation

/// The source of a context's reads: the store, or its parent.
protocol PlainSource: AnyObject {
    /// The object as a read would return it now; nil if it does not exist.
    func row(_ serial: Int) -> TwinRow?
    /// The objects that a fetch without a limit would return.
    func found(_ query: WalkQuery) -> [Int]
}
