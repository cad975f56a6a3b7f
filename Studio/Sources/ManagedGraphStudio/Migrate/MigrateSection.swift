// The section Migrate: the plan of a store's migration to another version of a model, its rehearsal on a copy, and the
// migration itself, with a backup if the store is a file.
import CoreData
import Foundation
import GraphUpkeep
import Hummingbird
import WebSupport

struct MigrateSection: StudioSection {
    let name = "migrate"
    let title = "Migrate"
    private let sources: StudioSources
    private let readers: BrowsingReaders
    private let jobs = MigrateJobs()

    /// The choice of a page: a model of the studio and one of its versions.
    private struct Choice: Decodable {
        var model: String
        var version: String?
        /// The name of the backup, beside the store.
        var backup: String?
    }

    private struct Options: Encodable {
        struct Model: Encodable {
            var id: String
            var title: String
            var path: String
            var versions: [String]
            var current: String
            var problem: String?
        }

        var store: String
        var models: [Model]
        /// The reason why the store cannot be migrated here, or nil.
        var refusal: String?
        var remedy: String?
        /// The name of the backup; nil for a store in a database, which is backed up with the database's own means.
        var backup: String?
        /// The place of the copy that a rehearsal makes.
        var copy: String
    }

    init(sources: StudioSources, readers: BrowsingReaders) { (self.sources, self.readers) = (sources, readers) }

    func suits(_ source: StudioSource) -> Bool { source.storeURL != nil }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        group.get("options") { _, context -> Response in
            let source = context.source
            let models = self.models(for: source)
            return try .encoded(try await StudioSource.onThread { try Self.options(source, models) })
        }
        group.post("plan") { request, context -> Response in
            let migration = try await self.migration(request, context)
            return try .encoded(try await StudioSource.onThread { try migration.plan() })
        }
        group.post("rehearse") { request, context -> Response in
            let migration = try await self.migration(request, context)
            return try .encoded(try self.job(context).start(.rehearsal, migration, backup: nil))
        }
        group.post("run") { request, context -> Response in
            if let refusal = context.source.refusal { throw refusal }
            let choice = try await request.decode(as: Choice.self, context: context)
            let migration = try await self.migration(choice, context.source)
            let backup = try migration.store.isFileURL ? Self.backup(choice.backup, beside: migration.store) : nil
            return try .encoded(try await self.run(migration, context, backup))
        }
        group.get("job") { _, context -> Response in try .encoded(self.job(context).report) }
        group.delete("job") { _, context -> Response in
            self.job(context).cancel()
            return try .encoded(self.job(context).report)
        }
    }

    func close() { jobs.cancel() }

    /// Begins a migration, during which the other sections do not have the store open.
    private func run(
        _ migration: StoreMigration,
        _ context: StudioRequestContext,
        _ backup: URL?
    ) async throws -> MigrateJob.Report {
        let (readers, source) = (readers, context.source)
        try await readers.beginMigration(of: source)
        do {
            return try job(context).start(.migration, migration, backup: backup) {
                readers.endMigration(of: source.id)
            }
        } catch {
            readers.endMigration(of: source.id)
            throw error
        }
    }

    // MARK: Choices

    private func job(_ context: StudioRequestContext) -> MigrateJob {
        jobs.job(of: context.source.id)
    }

    private func migration(_ request: Request, _ context: StudioRequestContext) async throws -> StoreMigration {
        try await migration(request.decode(as: Choice.self, context: context), context.source)
    }

    private func migration(_ choice: Choice, _ source: StudioSource) async throws -> StoreMigration {
        guard let store = source.storeURL else { throw HTTPError(.notFound) }
        guard let model = models(for: source).first(where: { $0.id == choice.model }) else {
            throw StudioError(
                "The studio does not show the model \(choice.model).",
                remedy: "Start it with the model beside the store.",
                status: .notFound
            )
        }
        return try await StudioSource.onThread { try StoreMigration(store, to: model.url, version: choice.version) }
    }

    /// The models of the studio: files, and that of the source itself.
    private func models(for source: StudioSource) -> [(id: String, title: String, url: URL)] {
        sources.all.compactMap { candidate in
            switch candidate.kind {
            case .model(let url): (candidate.id, candidate.title, url)
            case .container(_, let file?):
                candidate.id == source.id ? (candidate.id, file.lastPathComponent, file) : nil
            case .container, .store: nil
            }
        }
    }

    private static func options(_ source: StudioSource, _ models: [(id: String, title: String, url: URL)]) throws
        -> Options
    {
        guard let store = source.storeURL else { throw HTTPError(.notFound) }
        return Options(
            store: StoreAddress.shown(store),
            models: models.map { id, title, url in
                var model = Options.Model(id: id, title: title, path: url.path, versions: [], current: "")
                do {
                    let migration = try StoreMigration(store, to: url)
                    (model.versions, model.current) = (migration.versionNames, migration.destination)
                    model.problem = migration.unreadable.first
                } catch {
                    model.problem = StudioError(error).message
                }
                return model
            },
            refusal: source.refusal?.message,
            remedy: source.refusal?.remedy,
            backup: store.isFileURL ? backupName(store) : nil,
            copy: store.isFileURL
                ? "a copy in the temporary folder" : "a copy in a schema beside the store, which is dropped afterwards"
        )
    }

    private static func backupName(_ store: URL) -> String {
        let form = Date.ISO8601FormatStyle(timeZone: .current).year().month().day().time(
            includingFractionalSeconds: false
        )
        let stamp = Date().formatted(form).filter { $0.isNumber || $0 == "T" }
        return "\(store.deletingPathExtension().lastPathComponent)-\(stamp).\(store.pathExtension)"
    }

    /// The place of a backup; a name must not lead out of the store's folder.
    private static func backup(_ name: String?, beside store: URL) throws -> URL {
        let name = name ?? backupName(store)
        guard !name.isEmpty, !name.contains("/"), !name.hasPrefix("."), !name.contains("\0") else {
            throw StudioError("“\(name)” is not a name of a file.", remedy: "Give a name without slashes.")
        }
        return store.deletingLastPathComponent().appendingPathComponent(name)
    }
}

extension StudioSource {
    /// The place of the source's first store: a file, or the address of a database.
    var storeURL: URL? {
        switch kind {
        case .store(let url, _): url
        case .container(let container, _):
            container.persistentStoreCoordinator.persistentStores.lazy.compactMap(\.url).first {
                $0.isFileURL || StoreAddress.isDatabase($0.absoluteString)
            }
        case .model: nil
        }
    }

    /// The reason why the store cannot be migrated here.
    fileprivate var refusal: StudioError? {
        switch kind {
        case .store(_, writable: true): nil
        case .store, .model: .readOnly
        case .container:
            StudioError(
                "The store is open in the running program.",
                reason: "A program opens its store with one version of the model.",
                remedy: "Stop the program, and open the store with managedgraph-studio --write.",
                status: .forbidden
            )
        }
    }
}
