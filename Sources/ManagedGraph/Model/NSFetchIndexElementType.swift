/// The kinds of index for an element of a fetch index; raw values are Apple's.
public enum NSFetchIndexElementType: UInt, Sendable {
    /// An ordinary, sorted index.
    case binary = 0
    /// An R-tree, for ranges of numbers.
    case rTree = 1
}
