// Renders a form's HTML from its description. Called by ScreenResponder; the templates escape the values.
import Foundation

extension PageRenderer {
    /// Renders a screen with a form; `state` is that of a rejected form.
    func html(_ page: Page, form: Form, state: FormState, at requestContext: RequestContext) -> String {
        var values: [String: Any] = [
            "address": requestContext.address, "fields": form.fields.map { self.values(of: $0, state, requestContext) },
            "zone": requestContext.reader.timeZone.identifier, "submit": form.submit,
            "hasFiles": form.fields.contains(where: \.isPicture),
            "hidden": form.hidden.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] },
        ]
        values["focuses"] = form.focuses
        if let live = state.live { values["live"] = ["version": live.version] }
        values["isDraft"] = state.draft != nil
        if let prompt = form.prompt { values["prompt"] = Self.values(prompt) }
        return shell(page, at: requestContext, body: templates.render("form", values)) { shell in
            if let draft = state.draft {
                shell["draft"] = ["cannotUndo": !draft.canUndo, "cannotRedo": !draft.canRedo]
            } else {
                shell["submit"] = form.submit
            }
            shell["isModal"] = form.isModal
            if form.isModal { shell["tabs"] = nil }
        }
    }

    private func values(of field: Field, _ state: FormState, _ requestContext: RequestContext) -> [String: Any] {
        let reader = requestContext.reader
        let own = field.value(for: reader)
        let typed = state.typed[field.name]
        var values: [String: Any] = [
            "name": field.name, "label": field.label, "opened": state.opened[field.name] ?? own,
        ]
        switch field.kind {
        case .text:
            values["text"] = ["value": typed ?? own]
        case .longText:
            values["longText"] = ["value": typed ?? own]
        case .flag:
            values["flag"] = ["isOn": (typed ?? own) == "1"]
        case .picture:
            values["picture"] = picture(field, own, state, requestContext)
        case .day(let date):
            values["day"] = [
                "value": typed ?? own, "datetime": Reader.machineText(date), "long": reader.text(date, .longDate),
                "isTyped": typed != nil,
            ]
        case .number:
            values["number"] = ["value": typed ?? own]
        case .choice(let choice):
            let chosen = typed ?? own
            let options = choice.options(state.live?.options[field.name] ?? [], chosen: chosen)
            values["choice"] = [
                "options": options.map {
                    ["reference": $0.reference, "title": $0.title, "isChosen": $0.reference == chosen] as [String: Any]
                }
            ]
        }
        values["error"] = state.errors[field.name]
        values["accessory"] = field.accessory.map { ["title": $0.title, "address": $0.address] }
        if let conflict = state.conflicts.first(where: { $0.name == field.name }) {
            var both: [String: Any] = ["mine": conflict.mine, "theirs": conflict.theirs]
            if let address = conflict.theirPicture { both["theirPicture"] = address }
            values["conflict"] = both
        }
        return values
    }

    private func picture(_ field: Field, _ own: String, _ state: FormState, _ requestContext: RequestContext)
        -> [String: Any]
    {
        var values: [String: Any] = [
            "types": Picture.Format.allCases.map(\.rawValue).joined(separator: ","),
            "limit": FormBody.Limits.usual.file,
            "base": requestContext.address(with: [(ScreenResponder.pictureKey, field.name)]),
            "isRemoved": state.typed[Field.removalPrefix + field.name] == "1",
        ]
        if let address = requestContext.address(ofPicture: field.name, stamp: own) { values["source"] = address }
        if let token = state.kept[field.name] {
            values["kept"] = token
            values["source"] = requestContext.address(with: [(ScreenResponder.keptKey, token)])
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
