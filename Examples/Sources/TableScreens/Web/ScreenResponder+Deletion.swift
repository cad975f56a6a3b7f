// The parts that all deletions share: the question before a cascade, the copy for Undo, and the response to Undo.
import CoreData
import Foundation
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The component of the address that undoes a deletion, below the application.
    static let undoPath = "-undo"
    /// The query key of a deletion, for the note of a browser without scripts.
    static let undoKey = "-undo"

    /// A deletion that a screen is about to perform.
    struct PendingDeletion {
        let object: NSManagedObject
        let note: String
        let copy: KeptDeletion?
        let question: Question?
    }

    /// Prepares the deletion of the object that an action names; nil if the action deletes nothing.
    static func deletion(_ action: Action, _ requestContext: RequestContext, _ turn: ApplicationStore.Turn)
        -> PendingDeletion?
    {
        guard action.name == "delete",
            let object = try? requestContext.place(turn).object(NSManagedObject.self, in: action)
        else { return nil }
        let deletion = Deletion(of: object)
        let copy = deletion.copy()
        return PendingDeletion(
            object: object,
            note: deletion.note,
            copy: copy,
            question: deletion.question(canUndo: copy != nil)
        )
    }

    /// Keeps the copy of a finished deletion; returns the values for the next page, and the token that undoes it.
    static func finish(_ deletion: PendingDeletion, _ turn: ApplicationStore.Turn) -> ([(String, JSONValue)], String) {
        guard deletion.object.isDeleted || deletion.object.managedObjectContext == nil else { return ([], "") }
        let token = deletion.copy.map { turn.deletions.keep($0, note: deletion.note) } ?? ""
        return ([("deleted", .object([("note", .string(deletion.note)), ("token", .string(token))]))], token)
    }

    static func json(_ question: Question) -> JSONValue {
        .object([
            ("title", .string(question.title)), ("message", .string(question.message)),
            ("confirm", .string(question.confirm)),
        ])
    }

    /// Undoes a deletion.
    func undoDeletion(_ store: ApplicationStore, _ request: Request, _ reader: Reader) async throws -> Response {
        let fields = await FormBody.fields(of: request)
        let token = fields["token"] ?? ""
        let wantsJSON = request.headers[.accept]?.contains("application/json") == true
        let home = Address(path: [store.application.name]).text
        // The note is on the page that the form names; any other address would be a redirection to elsewhere.
        let back = fields["back"].map { Address(target: $0) }
            .flatMap { $0.path.first == store.application.name ? $0.text : nil }
        do {
            try await store.perform { try $0.deletions.undo(token, in: $0.context) }
            return wantsJSON ? .json(JSONValue.object([("go", .string(""))]).text) : .redirect(to: back ?? home)
        } catch {
            let alert = Self.alert(for: error, store.application)
            if wantsJSON { return .json(Self.alertJSON(alert), status: .unprocessableContent) }
            let page = pages.message(
                title: "Not Undone",
                text: alert.message,
                details: alert.items,
                back: Link(store.application.title, to: home),
                reader: reader
            )
            return .html(page, status: .unprocessableContent)
        }
    }
}
