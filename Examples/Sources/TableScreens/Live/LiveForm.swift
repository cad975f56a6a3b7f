// A form that browsers look at: the choices of its pickers, kept current, and word to the browsers when these or the
// saved values have changed. It sends no values: a browser asks for them, because each may have a draft of its own.
import CoreData

final class LiveForm: LiveContent {
    let broadcaster = Broadcaster()
    private(set) var lastUse = ContinuousClock.now
    private(set) var isGone = false
    private let sources: [String: any RowSource]
    /// The saved values in one text; throws `ScreenError.notFound` when they are gone.
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

    /// What a picker offers.
    func options(_ field: String) -> [ChoiceOption] {
        sources[field]?.options() ?? []
    }

    /// Says that somebody has asked for the form.
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

    private func publishRefresh() {
        broadcaster.publish(.refresh) { _, to in #"{"to":\#(to)}"# }
    }
}
