// An experiment of the page “Try to Break It”, as a value: its description, and the work of its button. Applications
// provide them; ScreenResponder+Experiments runs them.
import CoreData
import Foundation

/// Something that goes wrong on purpose, with a report of the framework's reaction.
public struct Experiment: Sendable {
    /// The name in addresses.
    public var name: String
    /// The title.
    public var title: String
    /// The description of the events after a click.
    public var text: String
    /// The title of the button.
    public var button: String
    let work: Work

    enum Work: Sendable {
        /// Runs and reports.
        case report(@Sendable (ApplicationStore) async throws -> [Line])
        /// Posts fields to a screen, whose answer is the next page.
        case post(path: String, fields: [String: String])
        /// Ends the process; the check runs when the server is running again.
        case ending(
            @Sendable (ApplicationStore) async throws -> Void,
            check: @Sendable (ApplicationStore) async throws -> [Line]
        )
    }

    /// A line of a report.
    public struct Line: Sendable {
        /// The weight of a line.
        public enum Kind: String, Sendable {
            /// A step.
            case step
            /// A success.
            case good
            /// An error, as expected or not.
            case bad
            /// A detail of the line above.
            case aside
        }

        let kind: Kind
        let text: String
        /// The address of a form to open in two windows.
        var twoWindows: String?

        /// Creates a line of a report.
        ///
        /// - Parameters:
        ///   - kind: The weight of the line.
        ///   - text: The text.
        ///   - twoWindows: The address of a form to open in two windows.
        public init(_ kind: Kind, _ text: String, twoWindows: String? = nil) {
            self.kind = kind
            self.text = text
            self.twoWindows = twoWindows
        }
    }

    /// Creates an experiment that reports.
    ///
    /// - Parameters:
    ///   - name: The name in addresses; letters and hyphens.
    ///   - title: The title.
    ///   - text: The description.
    ///   - button: The title of the button.
    ///   - run: The work; returns the report.
    public init(
        name: String,
        title: String,
        text: String,
        button: String,
        run: @escaping @Sendable (ApplicationStore) async throws -> [Line]
    ) {
        self.name = name
        self.title = title
        self.text = text
        self.button = button
        work = .report(run)
    }

    /// Creates an experiment that a screen of the application performs.
    ///
    /// - Parameters:
    ///   - name: The name in addresses; letters and hyphens.
    ///   - title: The title.
    ///   - text: The description.
    ///   - button: The title of the button.
    ///   - path: The path of the screen.
    ///   - fields: The fields that the screen receives.
    public init(name: String, title: String, text: String, button: String, path: String, fields: [String: String]) {
        self.name = name
        self.title = title
        self.text = text
        self.button = button
        work = .post(path: path, fields: fields)
    }

    /// Creates an experiment that kills the server.
    ///
    /// - Parameters:
    ///   - name: The name in addresses; letters and hyphens.
    ///   - title: The title.
    ///   - text: The description.
    ///   - button: The title of the button.
    ///   - end: Ends the process; called after the page is sent.
    ///   - check: Returns the report when the server was started again.
    public init(
        name: String,
        title: String,
        text: String,
        button: String,
        end: @escaping @Sendable (ApplicationStore) async throws -> Void,
        check: @escaping @Sendable (ApplicationStore) async throws -> [Line]
    ) {
        self.name = name
        self.title = title
        self.text = text
        self.button = button
        work = .ending(end, check: check)
    }
}
