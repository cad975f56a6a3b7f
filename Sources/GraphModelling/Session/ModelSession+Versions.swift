// Versions: new ones, the current one, comparisons.
import Foundation
import GraphModel
import GraphModelFiles

extension ModelSession {
    /// Adds a copy of the version that is shown, makes it current and shows it.
    ///
    /// Saving writes it.
    ///
    /// - Parameter name: The version's name; nil for the next one, such as `Model 2`.
    /// - Throws: `ModelSessionError` for a name that is taken, or a model that holds one version.
    public func addVersion(named name: String? = nil) throws(ModelSessionError) {
        try change { state throws(ModelSessionError) in
            try Self.requireWritable(state)
            try self.requireVersions()
            let usedNames = Set(state.versionNames)
            let name = name.flatMap { $0.isEmpty ? nil : $0 } ?? self.nextName(among: usedNames)
            guard !usedNames.contains(name) else {
                throw ModelSessionError(
                    .invalidEdit,
                    "The model has a version \(name).",
                    remedy: "Choose another name."
                )
            }
            guard !name.hasPrefix("."), !name.contains("/"), !name.contains("\0"), name.utf8.count <= 200 else {
                throw ModelSessionError(
                    .invalidEdit,
                    "\"\(name)\" cannot name a file.",
                    remedy: "Leave out slashes, and do not begin with a point."
                )
            }
            var content = state.content
            content.documents[name] = try Self.document(state.version, in: state)
            content.currentName = name
            state.commit("Add the version \(name)", content, version: state.version)
            state.show(name)
        }
    }

    /// Makes a version the current one, with which new stores are created.
    ///
    /// Saving writes the choice.
    ///
    /// - Parameter name: The version's name.
    /// - Throws: `ModelSessionError` if there is no such version.
    public func setCurrent(version name: String) throws(ModelSessionError) {
        try change { state throws(ModelSessionError) in
            try Self.requireWritable(state)
            try self.requireVersions()
            _ = try Self.document(name, in: state)
            var content = state.content
            content.currentName = name
            state.commit("Make \(name) current", content, version: state.version)
        }
    }

    /// Compares two versions as they are in the session.
    ///
    /// - Parameters:
    ///   - old: The older version; nil for the saved text of `new`.
    ///   - new: The newer version.
    /// - Returns: The differences, down to each setting of each property.
    /// - Throws: `ModelSessionError` if a version does not exist or cannot be read.
    public func compare(from old: String?, to new: String) throws(ModelSessionError) -> ModelComparisonPicture {
        try change { state throws(ModelSessionError) in
            let document = try Self.document(new, in: state)
            if let old {
                let former = try Self.document(old, in: state)
                return ModelComparisonPicture(from: former, named: old, to: document, named: new)
            }
            guard let saved = state.saved[new] else {
                throw ModelSessionError(
                    .missing,
                    "The version \(new) has not been saved yet.",
                    remedy: "Compare it with another version."
                )
            }
            return ModelComparisonPicture(from: saved.document, named: "\(new), saved", to: document, named: new)
        }
    }

    /// Describes a version without showing it, for comparisons side by side.
    ///
    /// - Parameter name: The version's name.
    /// - Returns: Its entities and the positions of their cards.
    /// - Throws: `ModelSessionError` if the version does not exist or cannot be read.
    public func entities(ofVersion name: String) throws(ModelSessionError) -> ([EntityPicture], [CardPosition]) {
        try change { state throws(ModelSessionError) in
            let painter = ModelPainter(try Self.document(name, in: state))
            return (painter.entities(changedSince: nil), painter.positions)
        }
    }

    private func requireVersions() throws(ModelSessionError) {
        guard url.pathExtension == "xcdatamodeld" else {
            throw ModelSessionError(
                .readOnly,
                "\(url.lastPathComponent) is one version.",
                remedy: "Convert it to an .xcdatamodeld, which holds several."
            )
        }
    }

    /// The name that Xcode would propose.
    private func nextName(among usedNames: Set<String>) -> String {
        let stem = url.deletingPathExtension().lastPathComponent
        var number = 2
        while usedNames.contains("\(stem) \(number)") { number += 1 }
        return "\(stem) \(number)"
    }
}
