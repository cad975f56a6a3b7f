// The responses for the panel “Under the Hood”: its event stream, and one object in detail. Called by ScreenResponder.
import CoreData
import Foundation
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The path of the panel's event stream, below the application.
    static let activityPath = "-activity"
    /// The path of the description of an object.
    static let objectPath = "-object"
    /// The cookie of a browser whose panel is open.
    static let hoodCookie = "hood"

    /// Responds to a request of the panel; returns nil for other requests.
    func activity(_ store: ApplicationStore, _ request: Request, _ target: Address) async throws -> Response? {
        guard target.path.count == 2 else { return nil }
        switch (target.path[1], request.method) {
        case (Self.activityPath, .get):
            let feed = store.activity
            return OpenResponse.activity(to: request, messages: { feed.subscribe() }, onShutdown: { feed.close() })
        case (Self.objectPath, .get), (Self.objectPath, .post):
            let fields =
                request.method == .post
                ? await FormBody.fields(of: request)
                : Dictionary(target.query, uniquingKeysWith: { $1 })
            return try await object(store, fields, Self.browser(of: request))
        default: return nil
        }
    }

    private func object(_ store: ApplicationStore, _ fields: [String: String], _ browser: String?) async throws
        -> Response
    {
        store.activity.touch()
        let inspection = try await store.inspect { inspector, turn -> InspectedObject? in
            let reference = fields["id"] ?? ""
            switch fields["action"] {
            case "fire": inspector.turn(reference, intoFault: false, turn)
            case "refault": inspector.turn(reference, intoFault: true, turn)
            default: break
            }
            return inspector.look(at: reference, turn)
        }
        guard var inspected = inspection else { return .json(Self.json(.notFound), status: .notFound) }
        // A draft's queue may wait for the application's queue, so enter it only after leaving that one.
        let objectID = inspected.objectID
        for draft in store.drafts.all where draft.key.browser == browser {
            let context = draft.context
            let state = await context.perform { () -> InspectedObject.State? in
                guard let object = context.registeredObject(for: objectID), object.hasChanges else { return nil }
                return InspectedObject.State(object, context: context.name ?? "")
            }
            if let state { inspected.states.append(state) }
        }
        return .json(inspected.json)
    }
}
