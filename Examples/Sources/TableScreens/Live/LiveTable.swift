// A table open in browsers: one row source and one broadcaster, shared by all browsers at the same address. Confined to
// the context's queue, except for the broadcaster.
import Foundation
import WebSupport

final class LiveTable: LiveContent {
    /// More changes than this are sent as one refresh.
    static let changeLimit = 100

    let broadcaster = Broadcaster()
    private(set) var lastUse = ContinuousClock.now
    private let source: any RowSource
    private let renderer: RowRenderer
    private(set) var isGone = false

    // `changed` is called when there is something to `flush`, possibly many times.
    init(source: any RowSource, renderer: RowRenderer, changed: @escaping () -> Void) throws {
        self.source = source
        self.renderer = renderer
        source.changed = changed
        try source.load()
    }

    /// Returns the rows from `start` on, with their version.
    func window(from start: Int, count: Int, reader: Reader) throws -> TableWindow {
        flush()
        lastUse = .now
        let sections = source.sections
        let total = sections.reduce(0) { $0 + $1.count }
        let first = max(0, min(start, total - count))
        let rows = try source.rows(in: first..<min(total, first + count))
        return TableWindow(
            version: broadcaster.versionText,
            sections: sections,
            start: first,
            rows: rows.map { RenderedRow(id: $0.id, html: renderer.html($0, reader: reader)) }
        )
    }

    func flush() {
        guard !isGone else { return }
        do {
            switch try source.takeChanges() {
            case .none: break
            case .everything: publishRefresh()
            case .gone:
                isGone = true
                broadcaster.publish(.gone) { _, to in #"{"to":\#(to)}"# }
            case .batches(let batches):
                for batch in batches { publish(batch) }
            }
        } catch {
            publishRefresh()
        }
    }

    func reload() {
        flush()
        guard !isGone else { return }
        // The next request for rows reports an error.
        try? source.load()
        publishRefresh()
    }

    private func publish(_ batch: RowBatchChange) {
        guard batch.changes.count <= Self.changeLimit, broadcaster.hasSubscribers else { return publishRefresh() }
        broadcaster.publish(.change) { from, to in
            JSONValue.object([
                ("from", .integer(from)), ("to", .integer(to)), ("sections", .sections(batch.sections)),
                ("changes", .array(batch.changes.map { .change($0) { renderer.html($0, reader: .neutral) } })),
            ]).text
        }
    }

    private func publishRefresh() {
        broadcaster.publish(.refresh) { _, to in #"{"to":\#(to)}"# }
    }
}
