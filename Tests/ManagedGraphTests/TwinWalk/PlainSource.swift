// The protocol of the sources of a plain context's reads: the store or a parent.
import Foundation

/// The source of a context's reads: the store, or its parent.
protocol PlainSource: AnyObject {
    /// The object as a read would return it now; nil if it does not exist.
    func row(_ serial: Int) -> TwinRow?
    /// The objects that a fetch without a limit would return.
    func found(_ query: WalkQuery) -> [Int]
}
