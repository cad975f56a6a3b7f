// The page “Try to Break It”: the experiments of all applications, and their reports. Called by ScreenResponder.
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The path of the page.
    static let breakPath = "-break"
    /// The path that a page asks for to learn whether the server is there.
    static let alivePath = "-alive"
    /// The time for the browser to receive the page before the server ends.
    private static let notice = Duration.milliseconds(700)

    func experiments(_ request: Request, _ target: Address, _ reader: Reader) async throws -> Response {
        guard request.method == .post else { return .html(try await experimentsPage(target, reader)) }
        let fields = await FormBody.fields(of: request)
        let wantsJSON = (request.headers[.accept] ?? "").contains("application/json")
        func go(_ query: String, _ name: String) -> Response {
            let address = "/\(Self.breakPath)?\(query)#\(name)"
            return wantsJSON
                ? .json(JSONValue.object([("go", .string(address))]).text) : .redirect(to: address)
        }
        for case .open(let store) in slots {
            guard let experiment = store.application.experiments.first(where: { $0.name == fields["action"] }) else {
                continue
            }
            switch experiment.work {
            case .report(let run):
                let lines = await Self.lines { try await run(store) }
                return go("report=\(reports.keep(experiment.name, lines))", experiment.name)
            case .ending(let end, _):
                Task {
                    try await Task.sleep(for: Self.notice)
                    try await end(store)
                }
                return go("ending=\(experiment.name)", experiment.name)
            case .post: break
            }
        }
        return notFound(reader)
    }

    private func experimentsPage(_ target: Address, _ reader: Reader) async throws -> String {
        let query = Dictionary(target.query, uniquingKeysWith: { $1 })
        let report = query["report"].flatMap { Int($0) }.flatMap(reports.report)
        var items: [[String: Any]] = []
        for case .open(let store) in slots {
            for experiment in store.application.experiments {
                var item: [String: Any] = [
                    "name": experiment.name, "title": experiment.title, "text": experiment.text,
                    "button": experiment.button, "application": store.application.title,
                    "symbol": store.application.symbol, "tint": store.application.tint.rawValue,
                    "address": "/\(Self.breakPath)", "fields": [["name": "action", "value": experiment.name]],
                ]
                var lines = report?.name == experiment.name ? report?.lines : nil
                switch experiment.work {
                case .post(let path, let fields):
                    item["address"] = Address(path: [store.application.name] + Address.components(path)).text
                    item["fields"] = fields.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] }
                case .ending(_, let check):
                    if query["ending"] == experiment.name { item["isEnding"] = true }
                    if query["after"] == experiment.name { lines = await Self.lines { try await check(store) } }
                case .report: break
                }
                if let lines { item["report"] = ["lines": lines.map(Self.values)] }
                items.append(item)
            }
        }
        let body = pages.templates.render("experiments", ["experiments": items])
        let page = Page(title: "Try to Break It", table: .computed { [] })
        let back = Link("Applications", to: "/")
        return pages.shell(page, back: back, body: body, reader: reader) { $0["isTour"] = true }
    }

    /// Returns the report of an experiment; an unexpected error is its last line.
    private static func lines(_ work: () async throws -> [Experiment.Line]) async -> [Experiment.Line] {
        do {
            return try await work()
        } catch {
            let error = error as NSError
            return [Experiment.Line(.bad, "Error \(error.code): \(error.localizedDescription)")]
        }
    }

    private static func values(_ line: Experiment.Line) -> [String: Any] {
        var values: [String: Any] = ["kind": line.kind.rawValue, "text": line.text]
        values["twoWindows"] = line.twoWindows
        return values
    }
}
