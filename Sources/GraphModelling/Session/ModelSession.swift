// A model that is edited: opened, described, changed, saved. Used by the studio and by other programs that edit models;
// values in and out. ModelEditor applies the edits, ModelPainter describes the result.
import Foundation
import GraphModel
import GraphModelFiles
import ManagedGraph
import Synchronization

/// An editing session of one model.
///
/// A session holds the texts of all versions. Edits change them in memory, each as a whole, and each can be undone;
/// `save` writes those that changed. All methods can be called from any thread.
public final class ModelSession: Sendable {
    /// The model: an `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`.
    public let url: URL
    /// The session's state and the lock that guards it.
    let state: Mutex<SessionState>

    /// Opens a model.
    ///
    /// A version that cannot be read does not keep the others from being edited. Compiled models and archives of
    /// old versions of Xcode are read-only.
    ///
    /// - Parameter url: The model.
    /// - Throws: `ModelSessionError` if no version can be read.
    public init(opening url: URL) throws(ModelSessionError) {
        self.url = url.standardizedFileURL
        state = Mutex(try Self.read(self.url))
    }

    /// Describes the model of a running program, which has no file to edit.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - name: The name of the model and of its only version.
    /// - Throws: `ModelSessionError` for a model that model files cannot represent.
    public init(describing model: NSManagedObjectModel, named name: String) throws(ModelSessionError) {
        url = URL(fileURLWithPath: name)
        do {
            let document = try ModelDocument(model: model.graphModel(), file: name)
            var state = SessionState()
            state.content = SessionContent(documents: [name: document], currentName: name)
            (state.savedCurrentName, state.version) = (name, name)
            state.saved[name] = .init(file: url, data: Data(), document: document)
            state.readOnlyReason = "This is the model of a running program. Open its .xcdatamodeld to edit it."
            self.state = Mutex(state)
        } catch {
            throw ModelSessionError(.unreadable, "\(error)", remedy: "Open the model's own file.")
        }
    }

    // MARK: Reading

    /// Reads all versions.
    static func read(_ url: URL) throws(ModelSessionError) -> SessionState {
        var state = SessionState()
        do {
            // A choice that cannot be read now is not taken for none.
            state.currentVersionData = try content(of: currentVersionFile(of: url))
            let list = try ModelFile.listVersions(at: url, needsCurrent: false)
            for version in list.versions {
                do {
                    try read(version, into: &state)
                } catch let error as ModelFileError {
                    state.errors[version.name] = error.description
                }
            }
            guard !state.content.documents.isEmpty else {
                let reason = state.errors.sorted { $0.key < $1.key }.first?.value ?? "The model has no version."
                throw ModelSessionError(.unreadable, reason, remedy: "Correct the file, or choose another one.")
            }
            state.content.currentName = list.currentName
            state.savedCurrentName = list.currentName
            let isReadable = state.content.documents[list.currentName] != nil
            state.version = isReadable ? list.currentName : state.content.documents.keys.sorted()[0]
            return state
        } catch let error as ModelSessionError {
            throw error
        } catch {
            throw ModelSessionError(.unreadable, "\(error)", remedy: "Choose a model that Xcode wrote.")
        }
    }

    private static func read(_ version: VersionList.Version, into state: inout SessionState) throws {
        let file = try ModelFile.modelFile(at: version.url)
        let document = try ModelDocument(at: version.url, keepsFaults: true)
        guard let data = try content(of: file) else { throw ModelFile.missing(file) }
        if data.starts(with: Data("bplist00".utf8)) {
            let kind =
                file.lastPathComponent == "elements"
                ? "The model is an archive that Xcode wrote before version 4." : "The model is compiled."
            state.readOnlyReason = "\(kind) It is read-only: convert it to an .xcdatamodeld to edit it."
        }
        state.saved[version.name] = .init(file: file, data: data, document: document)
        state.content.documents[version.name] = document
    }

    static func currentVersionFile(of url: URL) -> URL { url.appendingPathComponent(".xccurrentversion") }

    // MARK: Pictures

    /// Describes the version that is shown.
    ///
    /// O(n) in the number of properties.
    ///
    /// - Parameter revision: The revision of a picture that the caller has; the entities that have not changed since
    ///   are then left out, if the session remembers that revision.
    /// - Returns: The picture.
    public func picture(changedSince revision: Int? = nil) -> ModelPicture {
        state.withLock { Self.picture(of: &$0, url, changedSince: revision) }
    }

    private static func picture(of state: inout SessionState, _ url: URL, changedSince revision: Int?) -> ModelPicture {
        let former = state.model(ofRevision: revision)
        state.remember()
        // Nil does not occur: a session always has a version that can be read.
        let painter = state.document.map { ModelPainter($0) }
        return ModelPicture(
            file: url.path,
            title: url.deletingPathExtension().lastPathComponent,
            version: state.version,
            versions: state.versionNames.map { name in
                VersionPicture(
                    name: name,
                    isCurrent: name == state.content.currentName,
                    isNew: state.saved[name] == nil && state.errors[name] == nil,
                    isChanged: state.error(of: name) == nil && state.isChanged(name),
                    error: state.error(of: name)
                )
            },
            readOnlyReason: state.readOnlyReason,
            revision: state.revision,
            isPartial: former != nil,
            entityNames: painter?.document.model.entities.map(\.name) ?? [],
            entities: painter?.entities(changedSince: former) ?? [],
            requests: painter?.requests ?? [],
            configurations: painter?.configurations ?? [],
            composites: painter?.composites ?? [],
            positions: painter?.positions ?? [],
            settings: painter?.settings
                ?? ModelSettings(isUsedWithCloudKit: false, isUsedWithSwiftData: false),
            problems: painter?.problems ?? [],
            undoTitle: state.undo.last?.title,
            redoTitle: state.redo.last?.title,
            isChanged: state.isChanged,
            checksum: painter?.checksum ?? ""
        )
    }

    /// Shows another version.
    ///
    /// - Parameter name: The version's name.
    /// - Throws: `ModelSessionError` if there is no such version, or if it cannot be read.
    public func show(version name: String) throws(ModelSessionError) {
        try change { state throws(ModelSessionError) in
            _ = try Self.document(name, in: state)
            state.show(name)
        }
    }

    /// The document of a version.
    static func document(_ name: String, in state: SessionState) throws(ModelSessionError) -> ModelDocument {
        if let document = state.content.documents[name] { return document }
        throw ModelSessionError(
            .missing,
            state.errors[name] ?? "The model has no version \(name).",
            remedy: "Choose one of \(state.content.documents.keys.sorted().joined(separator: ", "))."
        )
    }

    /// Runs a change of the state; an error leaves the state as it was.
    func change<Result: Sendable>(
        _ body: (inout SessionState) throws(ModelSessionError) -> Result
    ) throws(ModelSessionError) -> Result {
        let result: Swift.Result<Result, ModelSessionError> = state.withLock { state in
            var copy = state
            do throws(ModelSessionError) {
                let result = try body(&copy)
                state = copy
                return .success(result)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
