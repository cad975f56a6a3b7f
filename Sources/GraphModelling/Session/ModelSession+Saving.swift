// Saving: only changed files are written, each atomically, and none over a change made elsewhere.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import ManagedGraphTools

extension ModelSession {
    /// Writes the changed versions and the choice of the current one.
    ///
    /// All files are compared with the disk before the first is written.
    ///
    /// - Parameters:
    ///   - overwriting: Whether to replace files that changed on the disk since they were read.
    ///   - acceptingErrors: Whether to write a version that Apple's compiler refuses.
    /// - Returns: The paths of the written files.
    /// - Throws: `ModelSessionError`; nothing is written if it is not `notWritten`. After that error the session
    ///   remembers the files that were written, and another save writes the others.
    @discardableResult public func save(
        overwriting: Bool = false,
        acceptingErrors: Bool = false
    ) throws(ModelSessionError) -> [String] {
        let result = try change { state throws(ModelSessionError) -> Result<[String], ModelSessionError> in
            guard state.isChanged else { return .success([]) }
            try Self.requireWritable(state)
            let names = state.versionNames.filter { state.error(of: $0) == nil && state.isChanged($0) }
            if !acceptingErrors { try Self.requireSound(names, in: state) }
            if !overwriting { try self.requireUnchangedFiles(names, in: state) }
            state.touch()
            do throws(ModelSessionError) {
                return .success(try self.write(names, of: &state))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// Writes versions and the choice of the current one; `state` records each file as soon as it is written.
    private func write(_ names: [String], of state: inout SessionState) throws(ModelSessionError) -> [String] {
        var written: [String] = []
        // New versions precede the file that names the current one.
        for name in names {
            let document = try Self.document(name, in: state)
            let file = state.saved[name]?.file ?? contentsFile(of: name)
            try Self.write(document.contents, to: file)
            state.saved[name] = .init(file: file, data: document.contents, document: document)
            state.errors[name] = nil
            written.append(file.path)
        }
        if state.content.currentName != state.savedCurrentName {
            let file = Self.currentVersionFile(of: url)
            let data = try Self.currentVersionList(state.content.currentName)
            try Self.write(data, to: file)
            (state.currentVersionData, state.savedCurrentName) = (data, state.content.currentName)
            written.append(file.path)
        }
        return written
    }

    /// Reads the files again and shows them, as a change that can be undone.
    ///
    /// - Throws: `ModelSessionError` if no version can be read any more; the session is then unchanged.
    public func reload() throws(ModelSessionError) {
        let read = try Self.read(url)
        state.withLock { state in
            let content = read.content
            (state.saved, state.savedCurrentName) = (read.saved, read.savedCurrentName)
            (state.errors, state.currentVersionData) = (read.errors, read.currentVersionData)
            state.readOnlyReason = read.readOnlyReason
            state.touch()
            state.commit("Reload from the disk", content, version: state.version)
        }
    }

    /// The differences between a version as it was read and as it is on the disk now.
    ///
    /// - Returns: The differences of the first version that changed on the disk; nil if none did.
    public func changesOnDisk() -> ModelComparisonPicture? {
        state.withLock { state in
            for (name, saved) in state.saved.sorted(by: { $0.key < $1.key }) {
                guard let data = try? Data(contentsOf: saved.file), data != saved.data else { continue }
                return Self.difference(name, saved, data)
            }
            return nil
        }
    }

    /// Writes the model in another form.
    ///
    /// - Parameter target: The file, whose extension chooses the form; it must not exist.
    /// - Returns: The parts that the form cannot represent.
    /// - Throws: `ModelSessionError` if the file exists or cannot be written.
    public func convert(to target: URL) throws(ModelSessionError) -> [String] {
        try change { state throws(ModelSessionError) in
            do {
                let output = try ModelOutput(target)
                var versions: [ModelOutput.Version] = []
                for name in state.versionNames where state.error(of: name) == nil {
                    guard output.holdsVersions || name == state.version else { continue }
                    let document = try Self.document(name, in: state)
                    versions.append(.init(name: name, model: document.model, document: document))
                }
                // A single version is named after its new file.
                if versions.count == 1, ["mom", "xcdatamodel"].contains(self.url.pathExtension) {
                    versions[0].name = target.deletingPathExtension().lastPathComponent
                }
                let current = versions.first { $0.name == state.content.currentName } ?? versions[0]
                return try output.write(versions, current: current.name).map(\.description)
            } catch let error as ModelSessionError {
                throw error
            } catch {
                throw ModelSessionError(.notWritten, "\(error)", remedy: "Choose another place or name.")
            }
        }
    }

    // MARK: Conditions

    private static func requireSound(_ names: [String], in state: SessionState) throws(ModelSessionError) {
        for name in names {
            guard let problem = try document(name, in: state).firstError else { continue }
            throw ModelSessionError(
                .hasErrors,
                "Apple's compiler would refuse the version \(name): \(problem.description)",
                remedy: "Correct the errors, or save the version as it is.",
                place: ModelPlace(entity: problem.entity, property: problem.property)
            )
        }
    }

    private func requireUnchangedFiles(
        _ names: [String],
        in state: SessionState
    ) throws(ModelSessionError) {
        for name in names {
            let file = state.saved[name]?.file ?? contentsFile(of: name)
            let data = try Self.content(of: file)
            guard data != state.saved[name]?.data else { continue }
            throw ModelSessionError(
                .changedOnDisk,
                data == nil
                    ? "The file of the version \(name) is no longer there."
                    : "Another program changed the version \(name) since it was read.",
                remedy: "Compare the differences. Then reload the file, or save over it.",
                difference: data.flatMap { data in
                    state.saved[name].flatMap { Self.difference(name, $0, data) }
                }
            )
        }
        guard state.content.currentName != state.savedCurrentName else { return }
        guard try Self.content(of: Self.currentVersionFile(of: url)) != state.currentVersionData else { return }
        throw ModelSessionError(
            .changedOnDisk,
            "Another program chose the current version since the model was read.",
            remedy: "Reload the model, or save over the choice."
        )
    }

    private static func difference(
        _ name: String,
        _ saved: SessionState.Saved,
        _ data: Data
    ) -> ModelComparisonPicture? {
        guard let document = try? ModelDocument(contents: data, file: saved.file.path, keepsFaults: true) else {
            return nil
        }
        return ModelComparisonPicture(
            from: saved.document,
            named: "\(name), as read",
            to: document,
            named: "\(name), on the disk"
        )
    }

    // MARK: Files

    private func contentsFile(of version: String) -> URL {
        url.appendingPathComponent("\(version).xcdatamodel").appendingPathComponent("contents")
    }

    private static func currentVersionList(_ name: String) throws(ModelSessionError) -> Data {
        do {
            return try PropertyListSerialization.data(
                fromPropertyList: ["_XCCurrentVersionName": "\(name).xcdatamodel"],
                format: .xml,
                options: 0
            )
        } catch {
            throw ModelSessionError(.notWritten, "\(error)", remedy: "Rename the version \(name).")
        }
    }

    /// The content of a file; nil if there is none.
    static func content(of file: URL) throws(ModelSessionError) -> Data? {
        do {
            return try FilePlacement.isThere(file.path) ? Data(contentsOf: file) : nil
        } catch {
            throw ModelSessionError(
                .unreadable,
                "The file \(file.path) cannot be read: \(error.localizedDescription)",
                remedy: "Check the disk and the file's permissions, then try again."
            )
        }
    }

    private static func write(_ data: Data, to file: URL) throws(ModelSessionError) {
        do {
            try FileReplacement.write(data, to: file.path)
        } catch {
            throw ModelSessionError(
                .notWritten,
                "The file \(file.path) cannot be written: \(error.localizedDescription)",
                remedy: "Check the folder, its permissions and the space on the disk, then save again."
            )
        }
    }
}
