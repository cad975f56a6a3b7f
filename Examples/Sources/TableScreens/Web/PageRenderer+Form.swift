// A form's HTML from its description. Called by ScreenResponder; the templates do the escaping.
import Foundation

extension PageRenderer {
    /// A screen with a form; `state` is that of one that was sent and not taken.
    func html(_ page: Page, form: Form, state: FormState, at hit: Hit) -> String {
        var values: [String: Any] = [
            "address": hit.address, "fields": form.fields.map { self.values(of: $0, state, hit.reader) },
            "zone": hit.reader.timeZone.identifier, "submit": form.submit,
            "hidden": form.hidden.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] },
        ]
        if let prompt = form.prompt { values["prompt"] = Self.values(prompt) }
        return shell(page, at: hit, body: templates.render("form", values)) { shell in
            shell["submit"] = form.submit
            shell["isModal"] = form.isModal
            if form.isModal { shell["tabs"] = nil }
        }
    }

    private func values(of field: Field, _ state: FormState, _ reader: Reader) -> [String: Any] {
        let own = field.value(for: reader)
        let typed = state.typed[field.name]
        var values: [String: Any] = [
            "name": field.name, "label": field.label, "opened": state.opened[field.name] ?? own,
        ]
        switch field.kind {
        case .text:
            values["text"] = ["value": typed ?? own, "limit": Field.textLimit]
        case .day(let date):
            values["day"] = [
                "value": typed ?? own, "datetime": Reader.machineText(date), "long": reader.text(date, .longDate),
                "isTyped": typed != nil,
            ]
        }
        if let conflict = state.conflicts.first(where: { $0.name == field.name }) {
            values["conflict"] = ["mine": conflict.mine, "theirs": conflict.theirs]
        }
        return values
    }

    private static func values(_ prompt: Prompt) -> [String: Any] {
        var values: [String: Any] = ["words": prompt.text]
        if let caption = prompt.caption { values["caption"] = caption }
        switch prompt.notice {
        case .success(let text): values["notice"] = ["kind": "success", "text": text]
        case .failure(let text): values["notice"] = ["kind": "failure", "text": text]
        case nil: break
        }
        return values
    }
}
