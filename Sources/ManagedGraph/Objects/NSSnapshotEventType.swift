/// The reasons why an object's values were replaced, for `awake(fromSnapshotEvents:)`.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// The bits, Apple's values.
    public let rawValue: UInt

    /// Makes a set of events from its bits.
    ///
    /// - Parameter rawValue: Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy has decided.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
