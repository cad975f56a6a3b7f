// The editing sessions of all sources, which live as long as the studio. Used by ModelSection.
import CoreData
import GraphModelling

/// Opens a session for each source on first use.
actor ModelSessions {
    private var sessions: [String: ModelSession] = [:]

    /// The session of a source.
    ///
    /// Opening is retried for a model that could not be opened.
    func session(of source: StudioSource) throws -> ModelSession {
        if let session = sessions[source.id] { return session }
        let session =
            switch source.kind {
            case .model(let url): try ModelSession(opening: url)
            case .container(_, modelFile: let file?): try ModelSession(opening: file)
            case .container(let container, modelFile: nil):
                try ModelSession(describing: container.managedObjectModel, named: container.name)
            case .store:
                throw StudioError("A store has no model to edit.", remedy: "Open the model that it was made with.")
            }
        sessions[source.id] = session
        return session
    }
}
