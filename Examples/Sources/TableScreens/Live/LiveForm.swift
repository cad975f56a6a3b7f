// A form open in browsers. Keeps the choices of its pickers current, and notifies the browsers when these or the saved
// values change. It sends no values: each browser requests its own, because it may have a draft.
import CoreData

final class LiveForm: LiveContent {
    let broadcaster = Broadcaster()
    private(set) var lastUse = ContinuousClock.now
    private(set) var isGone = false
    private let sources: [String: any RowSource]
    /// Returns the saved values as one text; throws `ScreenError.notFound` if the object is gone.
    private let values: () throws -> String
    private var shown: String
    private var isStale = false
    private var observer: ContextObserver?

    // `changed` is called when there is something to `flush`, possibly many times.
    init(
        _ form: Form,
        context: NSManagedObjectContext,
        values: @escaping () throws -> String,
        changed: @escaping () -> Void
    )
        throws
    {
        var sources: [String: any RowSource] = [:]
        for field in form.fields {
            guard case .choice(let choice) = field.kind else { continue }
            let source = choice.makeSource(context)
            source.changed = changed
            try source.load()
            sources[field.name] = source
        }
        self.sources = sources
        self.values = values
        shown = try values()
        observer = ContextObserver(context) { [weak self] _ in
            self?.isStale = true
            changed()
        }
    }

    /// Returns the options of a picker.
    func options(_ field: String) -> [ChoiceOption] {
        sources[field]?.options() ?? []
    }

    /// Records that a browser has requested the form.
    func use() {
        flush()
        lastUse = .now
    }

    func flush() {
        guard !isGone else { return }
        do {
            var hasChanged = false
            for source in sources.values {
                if case .none = try source.takeChanges() { continue }
                hasChanged = true
            }
            if isStale {
                isStale = false
                let now = try values()
                if now != shown { hasChanged = true }
                shown = now
            }
            if hasChanged { publishRefresh() }
        } catch ScreenError.notFound {
            isGone = true
            broadcaster.publish(.gone) { _, to in #"{"to":\#(to)}"# }
        } catch {
            publishRefresh()
        }
    }

    func reload() {
        isStale = true
        flush()
        guard !isGone else { return }
        // The next request for rows reports an error.
        for source in sources.values { try? source.load() }
        publishRefresh()
    }

    private func publishRefresh() {
        broadcaster.publish(.refresh) { _, to in #"{"to":\#(to)}"# }
    }
}
