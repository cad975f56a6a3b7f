// Renders a row's HTML. Called by LiveTable and PageRenderer on the context's queue.
import Foundation
import WebSupport

struct RowRenderer: Sendable {
    let templates: PageTemplates

    func html(_ row: Row, reader: Reader) -> String {
        var values: [String: Any] = [
            "id": row.id,
            "name": Self.words(row.title, reader),
            "title": Self.text(row.title, reader),
            "isChecked": row.isChecked,
        ]
        if let subtitle = row.subtitle { values["subtitle"] = Self.text(subtitle, reader) }
        if let value = row.value { values["value"] = Self.text(value, reader) }
        switch row.decoration {
        case .mark(let text, let label, let isStrong):
            // An empty text is a value for a template, which would show the punctuation after it.
            let mark: [String: Any] = ["text": text, "isStrong": isStrong]
            values["mark"] = label.isEmpty ? mark : mark.merging(["label": label]) { $1 }
        case .thumbnail(let address): values["thumbnail"] = ["address": address]
        case .meter(let fraction): values["meter"] = ["percent": Int((min(1, max(0, fraction)) * 100).rounded())]
        case nil: break
        }
        if let moment = row.warnsFrom {
            values["warnsFrom"] = Reader.machineText(moment)
            values["warns"] = moment < Date()
        }
        values["style"] = row.style == .plain ? nil : row.style.rawValue
        values["styleLabel"] = row.style == .plain ? nil : row.styleLabel ?? row.style.label
        values["isMarked"] = row.isChecked || row.style == .dimmed
        values["detail"] = row.detail
        switch row.action {
        case .none: values["isStatic"] = true
        case .open(let address): values["open"] = address
        case .alert(let address): values["alert"] = address
        case .choose(let value): values["button"] = ["form": "choice", "field": "value", "sent": value]
        case .perform(let action, let value):
            values["button"] = ["form": "perform", "field": Action.performField, "sent": "\(action) \(value)"]
        }
        return templates.render("row", values)
    }

    private static func text(_ text: RowText, _ reader: Reader) -> [String: Any] {
        switch text {
        case .text(let text): ["text": text]
        case .placeholder(let text): ["placeholder": text]
        case .number(let number, let unit):
            ["number": reader.text(number), "machine": "\(number)"].merging(unit.isEmpty ? [:] : ["unit": unit]) { $1 }
        case .date(let date, let form):
            ["date": reader.text(date, form), "datetime": Reader.machineText(date), "form": form.rawValue]
        }
    }

    private static func words(_ text: RowText, _ reader: Reader) -> String {
        switch text {
        case .text(let text), .placeholder(let text): text
        case .number(let number, let unit): unit.isEmpty ? reader.text(number) : "\(reader.text(number)) \(unit)"
        case .date(let date, let form): reader.text(date, form)
        }
    }
}
