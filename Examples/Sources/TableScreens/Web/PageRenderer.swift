// Renders a page's HTML from its description. Called by ScreenResponder; the templates escape the values.
import Foundation
import WebSupport

struct PageRenderer: Sendable {
    let templates: PageTemplates
    let assets: Assets
    let rows: RowRenderer
    /// The part of the site that pages link to.
    var guest: ServerGuest?

    init() throws {
        templates = try PageTemplates(folder: Assets.folder)
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
        if !page.choices.isEmpty {
            values["choices"] = ["bars": page.choices.map { ["label": $0.label, "items": Self.values($0.items)] }]
        }
        if let search = table.search { values["search"] = Self.values(search, at: requestContext) }
        let address = { (first: Int) in requestContext.address(with: [("-from", String(first))]) }
        if window.start > 0 { values["earlier"] = address(max(0, window.start - ScreenResponder.windowSize)) }
        if shownTo < window.total { values["later"] = address(shownTo) }
        return shell(page, at: requestContext, body: templates.render("table", values)) { shell in
            shell["allowsEdit"] = table.allowsDelete || table.showsDetail == .whileEditing
        }
    }

    private static func values(_ search: Search, at requestContext: RequestContext) -> [String: Any] {
        let keptKeys = requestContext.screen.queryKeys.filter { $0 != Search.queryKey }
        return [
            "prompt": search.prompt, "key": Search.queryKey, "text": search.text, "limit": Search.limit,
            "clear": requestContext.address(without: Search.queryKey), "noResults": "No results for “\(search.text)”.",
            "kept": keptKeys.compactMap { key in requestContext.query[key].map { ["name": key, "value": $0] } },
        ]
    }

    /// Renders the tour of the applications; the menu fills and empties them.
    func home(
        _ applications: [[String: Any]],
        menu: [[String: Any]],
        hasExperiments: Bool,
        note: String?,
        reader: Reader
    ) -> String {
        var values: [String: Any] = ["applications": applications]
        if let guest {
            values["guest"] = ["title": guest.title, "summary": guest.summary, "address": guest.address]
        }
        if hasExperiments { values["break"] = "/\(ScreenResponder.breakPath)" }
        values["note"] = note
        let page = Page(title: "ManagedGraph", table: .computed { [] })
        return shell(page, back: nil, body: templates.render("home", values), reader: reader) { shell in
            shell["menu"] = ["items": menu]
            shell["isTour"] = true
        }
    }

    /// The links from an application's pages to the other part of the site; nil if there are none.
    func links(of application: String) -> [String: Any]? {
        guard let guest else { return nil }
        let links = guest.links(application).map { ["title": $0.title, "address": $0.address] }
        return links.isEmpty ? nil : ["title": guest.title, "links": links]
    }

    /// Renders the confirmation before an action outside of an application, without scripts.
    func question(_ question: Question, action: String, address: String, reader: Reader) -> String {
        let body = templates.render(
            "question",
            ["message": question.message, "confirm": question.confirm, "action": action, "address": address]
        )
        let page = Page(title: question.title, table: .computed { [] })
        return shell(page, back: Link("Back", to: address), body: body, reader: reader) { _ in }
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
    func question(_ question: Question, action: Action, at requestContext: RequestContext) -> String {
        let body = templates.render(
            "question",
            [
                "message": question.message, "confirm": question.confirm, "action": action.name,
                "value": action.fields["value"] ?? "",
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
            values["tint"] = requestContext.store.application.tint.rawValue
            values["job"] = job(requestContext.store)
            layOut(page, at: requestContext, &values)
            if !requestContext.isFramed {
                var hood: [String: Any] = [
                    "isOpen": requestContext.isHoodOpen, "isClosed": !requestContext.isHoodOpen,
                    "address": Address(path: [requestContext.store.application.name]).text,
                ]
                hood["guest"] = links(of: requestContext.store.application.name)
                values["hood"] = hood
            }
            values["hasJob"] = requestContext.store.jobs.state != nil
            if let token = requestContext.query[ScreenResponder.undoKey],
                let note = requestContext.store.deletionNote(token)
            {
                values["deletion"] = [
                    "note": note, "token": token, "back": requestContext.address,
                    "address": Address(path: [requestContext.store.application.name, ScreenResponder.undoPath]).text,
                ]
            }
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

    /// Decides the place of a screen on a desktop: beside another one, in the frame, or with a list beside it.
    private func layOut(_ page: Page, at requestContext: RequestContext, _ values: inout [String: Any]) {
        let application = requestContext.store.application
        var isTable = false
        if case .table = page.content { isTable = true }
        if requestContext.isFramed {
            values["isFramed"] = true
        } else if isTable, !requestContext.namesObject {
            values["pane"] = ["application": Address(path: [application.name]).text]
        } else {
            let tab = Tab.current(application.tabs, at: requestContext.path).map { application.tabs[$0].path } ?? ""
            values["list"] = Address(path: [application.name] + Address.components(tab)).text
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
            "style": assets.address(Assets.style),
            "script": assets.address(Assets.script),
            "icon": assets.address("icon.svg"),
            "worker": assets.address(Assets.worker),
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
            values["toolbar"] = ["items": Self.values(page.toolbar)]
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

    private static func values(_ items: [ToolbarItem]) -> [[String: Any]] {
        items.map { ["title": $0.title, "label": $0.label, "address": $0.address, "isCurrent": $0.isCurrent] }
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
