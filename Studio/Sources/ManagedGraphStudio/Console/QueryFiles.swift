// The files of saved queries, one for each source.
import CoreData
import Foundation
import GraphBrowsing
import GraphUpkeep

/// Finds the file of a source.
actor QueryFiles {
    private var files: [URL: SavedQueryFile] = [:]

    /// The file beside the model that a source is read with, or beside its store if the model has no file of its own.
    func file(of source: StudioSource, _ readers: BrowsingReaders) async throws -> SavedQueryFile {
        let place: URL
        switch source.kind {
        case .model(let url): place = url
        case .store(let url, _):
            let model = try await readers.session(of: source).modelSource
            guard model.hasPrefix("/") || url.isFileURL else {
                throw StudioError(
                    "\(source.title) is in a database, beside which no file can be.",
                    remedy: "Give the studio the model's file too, beside which queries are saved."
                )
            }
            place = model.hasPrefix("/") ? Self.model(model) : url
        case .container(let container, let modelFile):
            let store = container.persistentStoreCoordinator.persistentStores.first?.url
            guard let url = modelFile ?? store, url.isFileURL else {
                throw StudioError(
                    "\(source.title) has neither a model file nor a store file.",
                    remedy: "Give the studio the model's file, beside which queries are saved."
                )
            }
            place = url
        }
        let file = SavedQueryFile(beside: place)
        if let existing = files[file.url] { return existing }
        files[file.url] = file
        return file
    }

    /// The model of a version inside of it.
    private static func model(_ path: String) -> URL {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent()
        return ["xcdatamodeld", "momd"].contains(folder.pathExtension) ? folder : url
    }
}
