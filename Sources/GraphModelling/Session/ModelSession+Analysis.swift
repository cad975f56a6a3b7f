// The consequences of the model as it is: hashes, forecasts, classes, tables; and the check of predicates.
import Foundation
import GraphCodeGeneration
import GraphModel
import GraphModelFiles
import GraphPredicates
import GraphSQL

extension ModelSession {
    /// Computes the version hashes, and forecasts whether stores of the saved file and of the previous version open.
    ///
    /// - Returns: The hashes and forecasts of the version that is shown.
    public func analysis() -> ModelAnalysis {
        let state = state.withLock { $0 }
        guard let document = state.document else { return ModelAnalysis(hashes: [], checksum: "", forecasts: []) }
        let hashes = document.usableModel.versionHashes()
        let saved = state.saved[state.version]?.document
        var forecasts: [ForecastPicture] = []
        if let saved { forecasts.append(ForecastPicture(from: saved, named: "the saved file", to: document)) }
        let names = state.versionNames.filter { state.error(of: $0) == nil }
        var previous: ModelDocument?
        if let index = names.firstIndex(of: state.version), index > 0 {
            previous = state.content.documents[names[index - 1]]
            if let previous {
                forecasts.append(ForecastPicture(from: previous, named: names[index - 1], to: document))
            }
        }
        // A new version has no saved hashes.
        let savedHashes = (saved ?? previous)?.usableModel.versionHashes() ?? [:]
        return ModelAnalysis(
            hashes: hashes.sorted { $0.key < $1.key }.map {
                HashPicture(entity: $0.key, hash: $0.value.hexadecimal, isChanged: savedHashes[$0.key] != $0.value)
            },
            checksum: Model.checksum(of: hashes),
            forecasts: forecasts
        )
    }

    /// Generates the class and the tables of an entity.
    ///
    /// - Parameter name: The entity.
    /// - Returns: The hash, the Swift files and the SQL statements.
    /// - Throws: `ModelSessionError` if there is no such entity.
    public func analysis(ofEntity name: String) throws(ModelSessionError) -> EntityAnalysis {
        let state = state.withLock { $0 }
        let document = try Self.document(state.version, in: state)
        guard document.model.entity(named: name) != nil else {
            throw ModelSessionError(
                .missing,
                "The model has no entity \(name).",
                remedy: "Reload the model: it may have been changed in another window."
            )
        }
        let model = document.usableModel
        var analysis = EntityAnalysis(
            entity: name,
            hash: model.versionHashes()[name]?.hexadecimal ?? "",
            savedHash: state.saved[state.version]?.document.usableModel.versionHashes()[name]?.hexadecimal,
            files: [],
            statements: []
        )
        if let problem = document.firstError {
            analysis.unavailable = "The model has errors: \(problem.description)"
            return analysis
        }
        analysis.files = XcodeFiles(model: model).files(includingManual: true)
            .filter { $0.entityName == name }.map { GeneratedFile(name: $0.name, text: $0.text) }
        analysis.statements = Self.statements(of: name, in: StoreSchema(model: model, dialect: .sqlite))
        return analysis
    }

    private static func statements(of name: String, in schema: StoreSchema) -> [String] {
        guard let entity = schema.entities[name] else { return [] }
        let table = schema.tables[entity.table]
        let joins = schema.joinTables.filter { join in
            join.ownerTable == entity.table
                || entity.properties.values.contains { property in
                    if case .manyToMany(let relation) = property { relation.joinTable == join.name } else { false }
                }
        }
        return [table.createStatement(in: schema.dialect)]
            + joins.map { $0.createStatement(in: schema.dialect) }
            + table.indexStatements + joins.flatMap(\.indexStatements)
    }

    /// Checks a predicate as it is typed.
    ///
    /// - Parameters:
    ///   - format: The predicate's format.
    ///   - entity: The entity whose objects it selects.
    ///   - source: The entity of a fetched property, whose objects `$FETCH_SOURCE` stands for.
    /// - Returns: The result, with the place of a syntax error.
    public func check(predicate format: String, entity: String, source: String? = nil) -> ModelPredicateCheck {
        guard !format.trimmingCharacters(in: .whitespaces).isEmpty else { return ModelPredicateCheck(isValid: true) }
        let model = state.withLock { $0.document?.usableModel } ?? Model()
        do {
            let node = try PredicateParser.parse(input: format, arguments: [])
            var checker = FetchChecker(model: model)
            checker.allowsVariables = true
            try checker.check(node, entity: entity, sources: source.map { ["FETCH_SOURCE": $0] } ?? [:])
            return ModelPredicateCheck(isValid: true, printed: PredicatePrinter.print(node))
        } catch let error as PredicateFormatError {
            return ModelPredicateCheck(isValid: false, message: error.message, position: error.position)
        } catch {
            return ModelPredicateCheck(isValid: false, message: "\(error)")
        }
    }
}
