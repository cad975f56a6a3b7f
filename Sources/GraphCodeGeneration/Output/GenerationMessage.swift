// The messages of the generator to its user. Collected by TargetGenerator, printed by the command.
import GraphModel

/// An error or a warning, in the format of compilers.
package struct GenerationMessage: Hashable, Sendable, CustomStringConvertible {
    /// The severity of a message.
    package enum Severity: String, Sendable {
        case error
        case warning
    }

    package var severity: Severity
    package var file: String
    package var line: Int?
    package var text: String

    package init(_ severity: Severity, file: String, line: Int? = nil, _ text: String) {
        self.severity = severity
        self.file = file
        self.line = line
        self.text = text
    }

    /// Converts a finding about a model; nil for a note, which does not concern a build.
    ///
    /// - Parameters:
    ///   - problem: The finding.
    ///   - file: The model's file.
    package init?(_ problem: ModelProblem, file: String) {
        let severity: Severity
        switch problem.level {
        case .note: return nil
        case .warning: severity = .warning
        case .error: severity = .error
        }
        let place = [problem.entity.map { "entity \($0)" }, problem.property.map { "property \($0)" }]
            .compactMap(\.self)
        let head = place.isEmpty ? "" : place.joined(separator: ", ") + ": "
        self.init(severity, file: file, head + problem.reason)
    }

    init(_ severity: Severity, at location: SourceLocation, _ text: String) {
        self.init(severity, file: location.file, line: location.line, text)
    }

    package var description: String {
        "\(file):\(line.map { "\($0):" } ?? "") \(severity.rawValue): \(text)"
    }
}
