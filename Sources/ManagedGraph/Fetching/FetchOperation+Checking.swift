// The check of a fetch against the model where no store makes it: before prefetching, without stores, for dictionaries
// that are computed in memory. The same check, with the same messages, as FetchTranslator makes.
import Foundation
import GraphEngine
import GraphSQL

extension FetchOperation {
    /// Checks names and comparisons of the request.
    ///
    /// - Parameter paths: the relationships to prefetch.
    /// - Throws: 134060, naming the entity, the key path and the nearest existing name.
    func checkAgainstModel(_ paths: [String]) throws {
        try coordinator.compiledModel.check { checker in
            for path in paths where !path.isEmpty {
                try checker.checkRelationships(path.split(separator: ".").map(String.init), entity: layout.name)
            }
            guard stores.isEmpty else { return }
            try checker.check(FetchPlan(entity: layout.name, predicate: fetch.predicate, sort: fetch.sort))
        }
    }
}

extension CompiledModel {
    /// Runs a check; what it finds is an NSError.
    func check(_ body: (FetchChecker) throws -> Void) throws {
        do {
            try body(checker)
        } catch let error as TranslationError {
            throw CoreDataError.translation(error)
        }
    }
}
