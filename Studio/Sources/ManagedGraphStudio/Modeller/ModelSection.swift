// The section Model: the routes of the modeller. ModelSessions holds one session for each source, so that edits survive
// a reload of the page; Resources/model/model.js shows them.
import CoreData
import Foundation
import GraphModelling
import HTTPTypes
import Hummingbird
import WebSupport

struct ModelSection: StudioSection {
    let name = "model"
    let title = "Model"
    private let sessions = ModelSessions()

    func suits(_ source: StudioSource) -> Bool {
        switch source.kind {
        case .model, .container: true
        case .store: false
        }
    }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        addPictures(to: group)
        addChanges(to: group)
        addConsequences(to: group)
    }

    // MARK: Pictures

    private func addPictures(to group: RouterGroup<StudioRequestContext>) {
        group.get("picture") { request, context in
            let since = request.uri.queryParameters.get("since").flatMap { Int($0) }
            return try await answer(context) { $0.picture(changedSince: since) }
        }
        group.get("compare") { request, context in
            let from = request.uri.queryParameters.get("from")
            let to = request.uri.queryParameters.get("to") ?? ""
            return try await answer(context) { try $0.compare(from: from, to: to) }
        }
        group.get("version") { request, context in
            let name = request.uri.queryParameters.get("name") ?? ""
            return try await answer(context) { session in
                let (entities, positions) = try session.entities(ofVersion: name)
                return VersionContent(entities: entities, positions: positions)
            }
        }
        group.get("disk") { _, context in
            try await answer(context) { DiskChanges(difference: $0.changesOnDisk()) }
        }
    }

    // MARK: Changes

    private func addChanges(to group: RouterGroup<StudioRequestContext>) {
        group.post("edit") { request, context in
            let body = try await request.decode(as: EditRequest.self, context: context)
            return try await change(context, body.since) {
                try $0.apply(body.edits, title: body.title, version: body.version)
            }
        }
        group.post("undo") { request, context in
            let body = try await request.decode(as: ChangeRequest.self, context: context)
            return try await change(context, body.since) { $0.undo() }
        }
        group.post("redo") { request, context in
            let body = try await request.decode(as: ChangeRequest.self, context: context)
            return try await change(context, body.since) { $0.redo() }
        }
        group.post("show") { request, context in
            let body = try await request.decode(as: NameRequest.self, context: context)
            return try await change(context, nil) { try $0.show(version: body.name) }
        }
        group.post("current") { request, context in
            let body = try await request.decode(as: NameRequest.self, context: context)
            return try await change(context, nil) { try $0.setCurrent(version: body.name) }
        }
        group.post("versions") { request, context in
            let body = try await request.decode(as: NameRequest.self, context: context)
            return try await change(context, nil) { try $0.addVersion(named: body.name) }
        }
        group.post("reload") { _, context in
            try await change(context, nil) { try $0.reload() }
        }
        group.post("save") { request, context in
            let body = try await request.decode(as: SaveRequest.self, context: context)
            return try await change(context, body.since) { session in
                try session.save(
                    overwriting: body.overwriting ?? false,
                    acceptingErrors: body.acceptingErrors ?? false
                )
            }
        }
        group.post("convert") { request, context in
            let body = try await request.decode(as: NameRequest.self, context: context)
            return try await answer(context) { session in
                guard !session.url.pathExtension.isEmpty else {
                    throw StudioError(
                        "The model of a running program has no folder to write to.",
                        remedy: "Open the model's own file."
                    )
                }
                let target = session.url.deletingLastPathComponent().appendingPathComponent(body.name)
                guard !body.name.isEmpty, !body.name.contains("/"), !body.name.hasPrefix(".") else {
                    throw StudioError(
                        "\"\(body.name)\" cannot name a file beside the model.",
                        remedy: "Enter a name without slashes, such as Model.xcdatamodeld."
                    )
                }
                return Conversion(file: target.path, losses: try session.convert(to: target))
            }
        }
    }

    // MARK: Consequences

    private func addConsequences(to group: RouterGroup<StudioRequestContext>) {
        group.get("analysis") { _, context in try await answer(context) { $0.analysis() } }
        group.get("entity") { request, context in
            let name = request.uri.queryParameters.get("name") ?? ""
            return try await answer(context) { try $0.analysis(ofEntity: name) }
        }
        group.get("predicate") { request, context in
            let query = request.uri.queryParameters
            let (format, entity) = (query.get("format") ?? "", query.get("entity") ?? "")
            let source = query.get("source")
            return try await answer(context) { $0.check(predicate: format, entity: entity, source: source) }
        }
    }

    // MARK: Answers

    private func answer(
        _ context: StudioRequestContext,
        _ body: @Sendable (ModelSession) throws -> some Encodable
    ) async throws -> Response {
        do {
            let session = try await sessions.session(of: context.source)
            let data = try JSONEncoder().encode(try body(session))
            return .json(String(decoding: data, as: UTF8.self))
        } catch let error as ModelSessionError {
            throw StudioError(error)
        }
    }

    /// Answers a change with the picture of the parts that the page does not have yet.
    private func change<Result>(
        _ context: StudioRequestContext,
        _ since: Int?,
        _ body: @Sendable (ModelSession) throws -> Result
    ) async throws -> Response {
        try await answer(context) { session in
            _ = try body(session)
            return session.picture(changedSince: since)
        }
    }
}

extension StudioError {
    /// Describes an error of the modeller; the status is the kind of failure.
    fileprivate init(_ error: ModelSessionError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .changedOnDisk, .otherVersion: .conflict
            case .hasErrors: .preconditionFailed
            case .readOnly: .forbidden
            case .missing: .notFound
            case .unreadable, .invalidEdit, .notWritten: .unprocessableContent
            }
        self.init(error.message, remedy: error.remedy, status: status)
    }
}
