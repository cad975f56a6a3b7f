// The live tables and forms of one application by address. Confined to the context's queue. Tables without a browser
// are released after a grace period, so that a page and its event stream share the same table.
import CoreData

final class LiveTables {
    static let grace = Duration.seconds(20)
    /// The maximum number of tables without a browser.
    static let idleLimit = 64

    private var tables: [String: any LiveContent] = [:]
    private let context: NSManagedObjectContext
    private let renderer: RowRenderer
    private let changed: () -> Void
    private let watchers: Watchers
    private let activity: ActivityFeed
    private(set) var isClosed = false

    init(
        context: NSManagedObjectContext,
        renderer: RowRenderer,
        watchers: Watchers,
        activity: ActivityFeed,
        changed: @escaping () -> Void
    ) {
        self.watchers = watchers
        self.activity = activity
        self.context = context
        self.renderer = renderer
        self.changed = changed
    }

    /// Returns the table at an address, created from the description if there is none yet.
    func table(at address: String, description: Table) throws -> LiveTable {
        if let table = tables[address] as? LiveTable, !table.isGone { return table }
        releaseIdle()
        let source = description.makeSource(context)
        source.activity = activity
        let table = try LiveTable(source: source, renderer: renderer, changed: changed)
        keep(table, at: address)
        return table
    }

    /// Returns the form at an address, created from the description if there is none yet.
    func form(at address: String, description: Form, values: @escaping () throws -> String) throws -> LiveForm {
        if let form = tables[address] as? LiveForm, !form.isGone { return form }
        releaseIdle()
        let form = try LiveForm(description, context: context, values: values, changed: changed)
        keep(form, at: address)
        return form
    }

    private func keep(_ content: any LiveContent, at address: String) {
        tables[address] = content
        watchers.add(content.broadcaster)
        if isClosed { content.broadcaster.close() }
    }

    /// Sends all pending changes.
    func flush() {
        for table in tables.values { table.flush() }
    }

    /// Reads all rows again, and lets browsers read them; changes were missed.
    func reload() {
        for table in tables.values { table.reload() }
    }

    /// Releases tables that have had no browser for a while, the longest unused ones first.
    func releaseIdle() {
        let now = ContinuousClock.now
        let idle = tables.filter { !$0.value.broadcaster.hasSubscribers }.sorted { $0.value.lastUse < $1.value.lastUse }
        let surplus = max(0, idle.count - Self.idleLimit)
        for (index, entry) in idle.enumerated() where index < surplus || now - entry.value.lastUse > Self.grace {
            tables[entry.key] = nil
        }
    }

    /// Releases idle tables and sends heartbeats; called every few seconds.
    func tick() {
        releaseIdle()
        for table in tables.values { table.broadcaster.beat() }
    }

    /// Whether a browser shows the screen at an address or one beneath it.
    func isOpen(beneath address: String) -> Bool {
        tables.contains { ($0.key + "/").hasPrefix(address + "/") && $0.value.broadcaster.hasSubscribers }
    }

    /// Ends all event streams, current and future ones.
    func close() {
        isClosed = true
        for table in tables.values { table.broadcaster.close() }
    }

    var count: Int { tables.count }
}
