// A table or a form shared by several browsers, with the broadcaster of its event stream. Kept by LiveTables and
// confined to the context's queue, except for the broadcaster.

protocol LiveContent: AnyObject {
    var broadcaster: Broadcaster { get }
    /// The time of the last request; unused content is released after a grace period.
    var lastUse: ContinuousClock.Instant { get }
    /// Whether the content's object no longer exists.
    var isGone: Bool { get }

    /// Sends the changes since the last call to the browsers.
    func flush()

    /// Reads all rows again, and sends a refresh; changes were missed.
    func reload()
}
