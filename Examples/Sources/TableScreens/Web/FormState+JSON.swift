// A form's state as JSON for forms.js.
import WebSupport

extension FormState {
    func json(_ form: Form, _ reader: Reader) -> String {
        let fields = form.fields.map { field -> JSONValue in
            let own = field.value(for: reader)
            var pairs: [(String, JSONValue)] = [
                ("name", .string(field.name)), ("value", .string(typed[field.name] ?? own)),
                ("opened", .string(opened[field.name] ?? own)), ("error", .string(errors[field.name] ?? "")),
            ]
            if case .choice(let choice) = field.kind {
                let options = choice.options(live?.options[field.name] ?? [], chosen: typed[field.name] ?? own)
                pairs.append(("options", .array(options.map { .array([.string($0.reference), .string($0.title)]) })))
            }
            return .object(pairs)
        }
        return JSONValue.object([
            (
                "form",
                .object([
                    ("version", .string(live?.version ?? "")), ("fields", .array(fields)),
                    ("canUndo", .integer(draft?.canUndo == true ? 1 : 0)),
                    ("canRedo", .integer(draft?.canRedo == true ? 1 : 0)),
                ])
            )
        ]).text
    }
}

extension Choice {
    /// Returns the picker's options, preceded by one for no selection if that is allowed or current.
    func options(_ objects: [ChoiceOption], chosen: String) -> [ChoiceOption] {
        let isKnown = objects.contains { $0.reference == chosen }
        guard placeholder != nil || !isKnown else { return objects }
        return [ChoiceOption(reference: "", title: placeholder ?? "Not Set")] + objects
    }
}
