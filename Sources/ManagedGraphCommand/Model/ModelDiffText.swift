// Differences of models as text. Used by ModelDiffCommand.
import GraphModel

struct ModelDiffText {
    private let output: Output

    init(_ output: Output) { self.output = output }

    /// A comparison: its title, the differences, and whether lightweight migration is possible.
    func text(_ from: String, _ to: String, _ difference: ModelDifference, _ verdict: MigrationVerdict) -> String {
        var lines = [output.paint("\(clean(from)) → \(clean(to))", .bold)]
        for entity in difference.entities { lines += self.lines(entity) }
        lines += difference.changes.map { "  ~ " + text($0) }
        if difference.isEmpty {
            lines.append("  no difference")
        } else {
            lines += self.lines(verdict)
        }
        lines += verdict.notes.map { "  \(output.paint("note:", .yellow)) \(clean($0))" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func lines(_ verdict: MigrationVerdict) -> [String] {
        if !verdict.isNeeded {
            return ["  " + output.paint("no migration is needed", .green) + ": the version hashes are the same"]
        }
        if verdict.isPossible { return ["  " + output.paint("lightweight migration can do it", .green)] }
        return ["  " + output.paint("lightweight migration cannot do it", .red)]
            + verdict.refusals.flatMap { refusal in
                let place = refusal.property.map { "\(refusal.entity).\($0)" } ?? refusal.entity
                return [
                    "    \(output.paint(clean(place), .bold)): \(clean(refusal.reason))",
                    "      \(output.paint("→", .cyan)) \(clean(refusal.remedy))",
                ]
            }
    }

    private func lines(_ entity: EntityDifference) -> [String] {
        var head = "\(mark(entity.kind)) \(output.paint(clean(entity.name), .bold))"
        if let former = entity.formerName { head += " (was \(clean(former)))" }
        if !entity.isHashChanged { head += " °" }
        // Removing an entity implies removing its properties.
        let properties = entity.kind == .removed ? [] : entity.properties
        return ["  " + head] + entity.changes.map { "      ~ " + text($0) } + properties.flatMap(lines)
    }

    private func lines(_ property: PropertyDifference) -> [String] {
        var head = "\(mark(property.kind)) \(clean(property.name))"
        switch property.kind {
        case .added, .removed: head += ": \(clean(property.summary))"
        case .renamed, .moved, .changed:
            if let former = property.formerName { head += " (was \(clean(former)))" }
            if let owner = property.formerEntity { head += " (moved from \(clean(owner)))" }
        }
        let changes = property.changes.map(text).joined(separator: "; ")
        return ["      " + head + (changes.isEmpty ? "" : ": " + changes)]
    }

    private func text(_ change: FieldChange) -> String {
        "\(clean(change.field)) \(clean(change.before ?? "none")) → \(clean(change.after ?? "none"))"
            + (change.isHashed ? "" : " °")
    }

    private func mark(_ kind: DifferenceKind) -> String {
        switch kind {
        case .added: output.paint("+", .green)
        case .removed: output.paint("-", .red)
        case .changed, .renamed, .moved: output.paint("~", .yellow)
        }
    }

    private func clean(_ text: String) -> String { TextWidth.harmless(text) }
}
