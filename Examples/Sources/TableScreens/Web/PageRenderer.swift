// Renders a page's HTML from its description. Called by ScreenResponder; the templates escape the values.
import Foundation

struct PageRenderer: Sendable {
    let templates: Templates
    let assets: Assets
    let rows: RowRenderer

    init() throws {
        templates = try Templates()
        assets = try Assets()
        rows = RowRenderer(templates: templates)
    }

    /// Renders a screen with a table.
    func html(_ page: Page, table: Table, window: TableWindow, at requestContext: RequestContext) -> String {
        let shownTo = window.start + window.rows.count
        var values: [String: Any] = [
            "state": window.json(withRows: false),
            "address": requestContext.address,
            "groups": groups(window),
            "isEmpty": window.total == 0,
            "emptyText": table.emptyText,
            "isSearching": table.search?.predicate != nil,
            "allowsDelete": table.allowsDelete,
            "subtitles": table.hasSubtitles,
            "editsDetail": table.showsDetail == .whileEditing,
        ]
        if let search = table.search { values["search"] = Self.values(search, at: requestContext) }
        let address = { (first: Int) in requestContext.address(with: [("-from", String(first))]) }
        if window.start > 0 { values["earlier"] = address(max(0, window.start - ScreenResponder.windowSize)) }
        if shownTo < window.total { values["later"] = address(shownTo) }
        return shell(page, at: requestContext, body: templates.render("table", values)) { shell in
            shell["allowsEdit"] = table.allowsDelete || table.showsDetail == .whileEditing
        }
    }

    private static func values(_ search: Search, at requestContext: RequestContext) -> [String: Any] {
        let others = requestContext.screen.queryKeys.filter { $0 != Search.queryKey }
        return [
            "prompt": search.prompt, "key": Search.queryKey, "text": search.text, "limit": Search.limit,
            "clear": requestContext.address(without: Search.queryKey), "noResults": "No results for “\(search.text)”.",
            "kept": others.compactMap { key in requestContext.query[key].map { ["name": key, "value": $0] } },
        ]
    }

    /// Renders the list of applications.
    func home(_ applications: [[String: Any]], reader: Reader) -> String {
        let body = templates.render("home", ["applications": applications])
        return shell(Page(title: "ManagedGraph", table: .computed { [] }), back: nil, body: body, reader: reader) { _ in
        }
    }

    /// Renders a page with only a message, such as an object not found or a store that could not be opened.
    func message(title: String, text: String, details: [String] = [], back: Link, reader: Reader) -> String {
        let body = templates.render("message", ["title": title, "text": text, "details": details])
        return shell(Page(title: title, table: .computed { [] }), back: back, body: body, reader: reader) { _ in }
    }

    /// Renders the message that the object of a form is gone, with the entered values.
    func deleted(entered: [String], at requestContext: RequestContext) -> String {
        message(
            title: ScreenResponder.deletedAlert.title,
            text: "Another person has deleted this item since you opened it, so it cannot be saved."
                + (entered.isEmpty ? "" : " This is what you entered:"),
            details: entered,
            back: Link(
                requestContext.store.application.title,
                to: Address(path: [requestContext.store.application.name]).text
            ),
            reader: requestContext.reader
        )
    }

    /// Renders the confirmation before an action, without scripts; the form sends the action again, confirmed.
    func question(_ question: Question, action: String, at requestContext: RequestContext) -> String {
        let body = templates.render(
            "question",
            [
                "message": question.message, "confirm": question.confirm, "action": action,
                "address": requestContext.address,
            ]
        )
        let page = Page(title: question.title, back: Link("Back", to: requestContext.address), table: .computed { [] })
        return shell(page, at: requestContext, body: body) { _ in }
    }

    private func groups(_ window: TableWindow) -> [[String: Any]] {
        var groups: [[String: Any]] = []
        var start = 0
        for section in window.sections {
            let range = (start..<(start + section.count)).clamped(to: window.start..<(window.start + window.rows.count))
            start += section.count
            guard !range.isEmpty else { continue }
            let rows = range.map { window.rows[$0 - window.start].html }.joined()
            var group: [String: Any] = ["rows": rows, "key": section.title]
            if !section.title.isEmpty { group["title"] = section.title }
            groups.append(group)
        }
        return groups
    }

    /// Renders the bars around a screen of an application.
    func shell(_ page: Page, at requestContext: RequestContext, body: String, _ more: (inout [String: Any]) -> Void)
        -> String
    {
        shell(page, back: requestContext.back(page), body: body, reader: requestContext.reader) { values in
            values["act"] = requestContext.address
            values["job"] = job(requestContext.store)
            values["hasJob"] = requestContext.store.jobs.state != nil
            let tabs = requestContext.store.application.tabs
            let current = Tab.current(tabs, at: requestContext.path)
            if !tabs.isEmpty {
                let items = tabs.enumerated().map { place, tab -> [String: Any] in
                    let address = Address(path: [requestContext.store.application.name] + Address.components(tab.path))
                        .text
                    return ["title": tab.title, "icon": tab.icon, "address": address, "isCurrent": place == current]
                }
                values["tabs"] = ["items": items]
            }
            more(&values)
        }
    }

    func shell(
        _ page: Page,
        back: Link?,
        body: String,
        reader: Reader,
        _ more: (inout [String: Any]) -> Void
    ) -> String {
        var values: [String: Any] = [
            "language": reader.locale.identifier.replacingOccurrences(of: "_", with: "-"),
            "title": page.title,
            "body": body,
            "css": assets.address("screens.css"),
            "scripts": Assets.scripts.map(assets.address),
            "icon": assets.address("icon.svg"),
            "buttons": page.buttons.map { button -> [String: Any] in
                switch button {
                case .addLink(let label, let address): ["link": address, "label": label, "isAdd": true]
                case .addAction(let label, let action): ["action": action, "label": label, "isAdd": true]
                case .link(let word, let address): ["link": address, "word": word]
                case .action(let word, let action, let question):
                    ["action": action, "word": word].merging(Self.values(question)) { $1 }
                }
            },
        ]
        if let back { values["back"] = ["title": back.title, "address": back.address] }
        if !page.toolbar.isEmpty {
            let items = page.toolbar.map {
                ["title": $0.title, "label": $0.label, "address": $0.address, "isCurrent": $0.isCurrent]
                    as [String: Any]
            }
            values["toolbar"] = ["items": items]
        }
        if let alert = page.alert {
            let html = templates.render(
                "alert",
                [
                    "title": alert.title, "message": alert.message, "items": alert.items,
                    "hasItems": !alert.items.isEmpty,
                ]
            )
            values["alert"] = html
        }
        more(&values)
        return templates.render("page", values)
    }

    /// Renders the progress of the application's job; hidden if there is none.
    private func job(_ store: ApplicationStore) -> String {
        var values: [String: Any] = [
            "address": ScreenResponder.jobAddress(store.application), "percent": 0, "action": "cancel",
            "button": "Cancel",
        ]
        if let state = store.jobs.state {
            values["title"] = state.title
            values["words"] = state.words
            values["percent"] = state.percent
            values["phase"] = state.phase.rawValue
            if state.phase != .running {
                values["action"] = "dismiss"
                values["button"] = "OK"
            }
        }
        return templates.render("job", values)
    }

    private static func values(_ question: Question?) -> [String: Any] {
        guard let question else { return [:] }
        return ["asks": ["question": question.title, "message": question.message, "confirm": question.confirm]]
    }
}
