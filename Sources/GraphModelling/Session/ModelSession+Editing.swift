// Edits, undo and redo.
import GraphModel
import GraphModelFiles

extension ModelSession {
    /// Applies an edit to the version that is shown, as one change that can be undone.
    ///
    /// - Parameter edit: The edit.
    /// - Throws: `ModelSessionError` for an edit that does not fit the model, which is then unchanged.
    public func apply(_ edit: ModelEdit) throws(ModelSessionError) {
        try apply([edit], title: nil)
    }

    /// Applies several edits as one change.
    ///
    /// - Parameters:
    ///   - edits: The edits, in order.
    ///   - title: The title of the change; nil for the first edit's.
    ///   - version: The version that the edits are for; nil for the one that is shown. Several windows may use a session.
    /// - Throws: `ModelSessionError` if one of the edits does not fit the model, or if another version is shown; the
    ///   model is then unchanged.
    public func apply(_ edits: [ModelEdit], title: String?, version: String? = nil) throws(ModelSessionError) {
        try change { state throws(ModelSessionError) in
            try Self.requireWritable(state)
            guard version == nil || version == state.version else {
                throw ModelSessionError(
                    .otherVersion,
                    "The version \(state.version) was chosen in another window, so nothing was changed.",
                    remedy: "Choose the version that you want to change, and make the change again."
                )
            }
            var document = try Self.document(state.version, in: state)
            var first: String?
            for edit in edits {
                let title = try ModelEditor.apply(edit, to: &document)
                first = first ?? title
            }
            var content = state.content
            content.documents[state.version] = document
            state.commit(title ?? first ?? "Change", content, version: state.version)
        }
    }

    /// Undoes the last change; does nothing if there is none.
    ///
    /// - Returns: The title of the change; nil if there is none.
    @discardableResult public func undo() -> String? {
        state.withLock { state in
            let title = state.undo.last?.title
            state.step(from: \.undo, to: \.redo)
            return title
        }
    }

    /// Redoes the change that was undone last; does nothing if there is none.
    ///
    /// - Returns: The title of the change; nil if there is none.
    @discardableResult public func redo() -> String? {
        state.withLock { state in
            let title = state.redo.last?.title
            state.step(from: \.redo, to: \.undo)
            return title
        }
    }

    static func requireWritable(_ state: SessionState) throws(ModelSessionError) {
        guard let reason = state.readOnlyReason else { return }
        throw ModelSessionError(.readOnly, reason, remedy: "Use Convert, and edit the converted model.")
    }
}
