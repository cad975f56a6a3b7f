// What browsers look at together: a table or a form, with the broadcaster of its event stream. LiveTables keeps them;
// confined to the context's queue but for the broadcaster.

protocol LiveContent: AnyObject {
    var broadcaster: Broadcaster { get }
    /// When it was last asked for; an unused one is released some time later.
    var lastUse: ContinuousClock.Instant { get }
    /// Whether what it shows does not exist any more.
    var isGone: Bool { get }

    /// Sends what has changed since the last call to the browsers.
    func flush()
}
