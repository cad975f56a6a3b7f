// The state of an editing session: a value, so that ModelSession can change a copy and keep the old one if the change
// fails. Guarded by ModelSession's lock.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles

/// The files as they were read, the edited content, and the changes between them.
struct SessionState: Sendable {
    /// A version as it was read or saved last.
    struct Saved: Sendable {
        var file: URL
        var data: Data
        var document: ModelDocument
    }

    /// By version name.
    var saved: [String: Saved] = [:]
    var savedCurrentName = ""
    /// The bytes of `.xccurrentversion`; nil if there is no such file.
    var currentVersionData: Data?
    /// The reasons why versions could not be read from the disk.
    var errors: [String: String] = [:]
    var content = SessionContent(documents: [:], currentName: "")
    /// The version that is shown.
    var version = ""
    var readOnlyReason: String?
    var undo: [SessionStep] = []
    var redo: [SessionStep] = []
    private(set) var revision = 1
    /// The models that recent revisions showed, for pictures of changes.
    private var recent: [Int: (version: String, model: Model)] = [:]
    /// The number of revisions after which a model is forgotten.
    private static let memory = 8

    /// The document that is shown.
    var document: ModelDocument? { content.documents[version] }

    /// The names of all versions, in the order of lists.
    var versionNames: [String] {
        Set(content.documents.keys).union(errors.keys)
            .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }

    /// The reason why a version cannot be read; nil if the session has its text, as after a reload that was undone.
    func error(of name: String) -> String? { content.documents[name] == nil ? errors[name] : nil }

    /// Whether saving would write the version.
    func isChanged(_ name: String) -> Bool { saved[name]?.document != content.documents[name] }

    /// Whether saving would write anything.
    var isChanged: Bool {
        content.currentName != savedCurrentName || content.documents.keys.contains(where: isChanged)
    }

    /// Keeps the model that is shown, so that a later picture can leave out the entities that are the same.
    mutating func remember() {
        guard let document else { return }
        recent[revision] = (version, document.model)
        // Not all revisions are shown, so more than one can have become old.
        recent = recent.filter { $0.key > revision - Self.memory }
    }

    /// The model that a revision showed of the version that is shown now.
    func model(ofRevision number: Int?) -> Model? {
        guard let number, let item = recent[number], item.version == version else { return nil }
        return item.model
    }

    /// Applies a change that can be undone.
    mutating func commit(_ title: String, _ content: SessionContent, version: String) {
        guard content != self.content else { return }
        undo.append(SessionStep(title: title, content: self.content, version: self.version))
        redo = []
        show(content, version)
    }

    /// Undoes the last change, or redoes the one undone last.
    ///
    /// - Parameters:
    ///   - from: The list that has the step: `\.undo` or `\.redo`.
    ///   - to: The other list, which gets the reverse step.
    mutating func step(
        from: WritableKeyPath<SessionState, [SessionStep]>,
        to: WritableKeyPath<SessionState, [SessionStep]>
    ) {
        guard let step = self[keyPath: from].popLast() else { return }
        self[keyPath: to].append(SessionStep(title: step.title, content: content, version: version))
        show(step.content, step.version)
    }

    /// Shows another version.
    mutating func show(_ name: String) {
        version = name
        revision += 1
    }

    /// Notes a change of the state outside the content, such as a save.
    mutating func touch() { revision += 1 }

    private mutating func show(_ content: SessionContent, _ version: String) {
        self.content = content
        // The current version may be one that cannot be read.
        let names = [version, content.currentName] + content.documents.keys.sorted()
        self.version = names.first { content.documents[$0] != nil } ?? version
        revision += 1
    }
}
