// Merges a submitted form with the current values of its object, for two people editing it at the same time. Called by
// ScreenResponder+Actions on the context's queue, before the screen receives the action.
import CoreData
import Foundation
import WebSupport

extension ScreenResponder {
    /// A form with conflicts to resolve.
    struct Undecided {
        let page: Page
        let state: FormState
        /// The current values of the fields.
        let now: [String: String]
    }

    /// Merges a form with the changes saved since it was opened.
    ///
    /// - Returns: The conflicts that the second person has to resolve, or nil if the action has all values to save.
    static func merge(_ action: inout Action, _ requestContext: RequestContext, _ turn: ApplicationStore.Turn) throws
        -> Undecided?
    {
        let submission = FormState(sent: action.fields)
        guard !submission.opened.isEmpty else { return nil }
        let page = try requestContext.screen.page(at: requestContext.place(turn))
        guard case .form(let form) = page.content else { return nil }
        let reader = requestContext.reader.with(action.timeZone)
        let now = form.values(for: reader)
        var mine = submission.typed
        for field in form.fields {
            if field.isPicture {
                mine[field.name] =
                    action.stamp(ofPicture: field.name) ?? submission.typed[field.name] ?? submission.opened[field.name]
            }
            if mine[Field.choicePrefix + field.name] == "theirs" { mine[field.name] = submission.opened[field.name] }
        }
        let merge = FormMerge(form.fields.map(\.name), opened: submission.opened, mine: mine, now: now)
        action.fields.merge(merge.values) { $1 }
        for field in form.fields where field.isPicture && merge.values[field.name] == now[field.name] {
            action.files[field.name] = nil
            action.fields[Field.removalPrefix + field.name] = nil
        }
        guard !merge.conflicts.isEmpty else { return nil }
        var state = submission
        state.typed = merge.values
        state.opened = now
        state.conflicts = merge.conflicts.compactMap { conflict in
            guard let field = form.fields.first(where: { $0.name == conflict.name }) else { return nil }
            return FieldConflict(
                name: field.name,
                label: field.label,
                mine: action.files[field.name]?.name ?? field.words(conflict.mine, for: reader, in: turn.context),
                theirs: field.words(conflict.theirs, for: reader, in: turn.context),
                theirPicture: field.isPicture
                    ? requestContext.address(ofPicture: field.name, stamp: conflict.theirs) : nil
            )
        }
        return Undecided(page: page, state: state, now: now)
    }

    /// The alert for a form with conflicts.
    static let conflictAlert = Alert(
        title: "Changed Meanwhile",
        message: "Another person has saved other values since you opened this form. Nothing of yours is lost: choose "
            + "which ones to keep, and save again."
    )

    /// The alert for a form whose object has been deleted.
    static let deletedAlert = Alert(
        title: "Deleted",
        message:
            "Another person has deleted this item since you opened it, so it cannot be saved. What you entered is still in "
            + "the form: copy it, if you need it."
    )

    /// Returns the entered values, for a page without the form.
    static func entered(_ action: Action) -> [String] {
        let names = FormState(sent: action.fields).opened.keys.sorted()
        return names.compactMap { action.fields[$0] ?? action.files[$0]?.name }.filter { !$0.isEmpty }
    }
}

extension ScreenResponder.Undecided {
    /// The JSON that screens.js reads.
    var json: String {
        func object(_ values: [String: String]) -> JSONValue {
            .object(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
        }
        let alert = ScreenResponder.conflictAlert
        let fields = state.conflicts.map { conflict in
            JSONValue.object([
                ("name", .string(conflict.name)), ("label", .string(conflict.label)), ("mine", .string(conflict.mine)),
                ("theirs", .string(conflict.theirs)), ("theirPicture", .string(conflict.theirPicture ?? "")),
            ])
        }
        return JSONValue.object([
            (
                "conflict",
                .object([
                    ("title", .string(alert.title)), ("message", .string(alert.message)), ("fields", .array(fields)),
                    ("merged", object(state.typed.filter { now[$0.key] != nil })), ("now", object(now)),
                ])
            )
        ]).text
    }
}

extension Action {
    /// Returns the stamp of a field's new picture: empty if it was removed, nil if it is untouched.
    func stamp(ofPicture field: String) -> String? {
        if let file = files[field] { return PictureStamp.text(file.data) }
        return fields[Field.removalPrefix + field] == "1" ? "" : nil
    }
}

extension Form {
    /// Returns the values that the form sends if it is untouched.
    func values(for reader: Reader) -> [String: String] {
        Dictionary(fields.map { ($0.name, $0.value(for: reader)) }, uniquingKeysWith: { $1 })
    }
}
