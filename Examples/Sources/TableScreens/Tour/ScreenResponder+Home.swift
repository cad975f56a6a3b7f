// The home page: a tour of the applications, and the menu that fills or empties all of them. Called by ScreenResponder.
import Foundation
import HTTPTypes
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The two entries of the menu.
    private enum World: String, CaseIterable {
        case startOver = "start-over"
        case empty

        var title: String { self == .startOver ? "Start Over" : "Empty" }

        var question: Question {
            switch self {
            case .startOver:
                Question(
                    "Start over?",
                    message: "All applications lose their objects, and are filled with the sample data again.",
                    confirm: title
                )
            case .empty:
                Question("Empty everything?", message: "All applications lose their objects.", confirm: title)
            }
        }

        var note: String {
            self == .startOver ? "All applications have the sample data again." : "All applications are empty."
        }
    }

    func home(_ request: Request, _ target: Address, _ reader: Reader) async throws -> Response {
        guard request.method == .post else {
            let note = target.query.first { $0.0 == "done" }.flatMap { World(rawValue: $0.1)?.note }
            return .html(pages.home(homeRows, menu: menu, hasExperiments: hasExperiments, note: note, reader: reader))
        }
        let fields = await FormBody.fields(of: request)
        guard let world = fields["action"].flatMap(World.init) else { return notFound(reader) }
        let wantsJSON = (request.headers[.accept] ?? "").contains("application/json")
        // With scripts the browser has already asked.
        if !wantsJSON, fields["confirmed"] == nil {
            return .html(pages.question(world.question, action: world.rawValue, address: "/", reader: reader))
        }
        for case .open(let store) in slots {
            try await store.empty()
            if world == .startOver { try await store.fill() }
        }
        let address = "/?done=\(world.rawValue)"
        return wantsJSON ? .json(JSONValue.object([("go", .string(address))]).text) : .redirect(to: address)
    }

    private var hasExperiments: Bool { slots.contains { !$0.application.experiments.isEmpty } }

    private var menu: [[String: Any]] {
        let hasSamples = slots.contains { $0.application.samples != nil }
        return World.allCases.filter { hasSamples || $0 == .empty }.map { world in
            [
                "action": world.rawValue, "title": world.title, "question": world.question.title,
                "message": world.question.message, "confirm": world.question.confirm,
            ]
        }
    }

    private var homeRows: [[String: Any]] {
        slots.map { slot in
            let application = slot.application
            var row: [String: Any] = [
                "address": "/\(application.name)", "title": application.title, "summary": application.summary,
                "symbol": application.symbol, "tint": application.tint.rawValue,
            ]
            if !application.proves.isEmpty { row["proves"] = application.proves }
            row["diagram"] = diagrams[application.name]
            row["guest"] = pages.links(of: application.name)
            if case .failed(_, let title, _, _) = slot { row["failure"] = title }
            return row
        }
    }
}
