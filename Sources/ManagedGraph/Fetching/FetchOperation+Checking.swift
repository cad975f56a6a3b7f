// Checks a fetch against the model if no store does: without stores, and before evaluation in memory. The same check,
// with the same messages, as that of FetchTranslator.
import Foundation
import GraphEngine
import GraphSQL

extension FetchOperation {
    /// Checks names and comparisons of the request.
    ///
    /// - Throws: 134060, naming the entity, the key path and the nearest existing name.
    func checkPredicateAndSort() throws {
        let plan = FetchPlan(entity: layout.name, predicate: fetch.predicate, sort: fetch.sort)
        try coordinator.compiledModel.check { try $0.check(plan) }
    }
}

extension CompiledModel {
    /// Runs a check and maps its errors to NSError.
    func check(_ body: (FetchChecker) throws -> Void) throws {
        do {
            try body(checker)
        } catch let error as TranslationError {
            throw CoreDataError.translation(error)
        }
    }
}
