// One operation whose statements are recorded: a fetch, a firing fault, a save. Held by ActivityRecorder.

/// An operation that causes statements.
final class ActivityScope {
    /// The reason for the statements; a save refines it when it has determined its changes.
    var cause: StoreActivity.Cause
    let context: StoreActivity.Context?
    /// The context, by identity; it outlives the operation.
    unowned(unsafe) let owner: AnyObject?
    /// The start of a save.
    let began: ContinuousClock.Instant?

    init(
        _ cause: StoreActivity.Cause,
        context: StoreActivity.Context? = nil,
        owner: AnyObject? = nil,
        began: ContinuousClock.Instant? = nil
    ) {
        self.cause = cause
        self.context = context
        self.owner = owner
        self.began = began
    }
}
