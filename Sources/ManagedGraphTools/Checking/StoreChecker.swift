// Reads a whole store and reports the problems in it. Called by the command `managedgraph store check` and by tests. It
// neither changes the store nor creates files beside it.
import Foundation
import GraphModel
import GraphSQL
import GraphSQLite
import ManagedGraph

/// Checks stores.
package struct StoreChecker {
    /// A model file to read the stores with if it fits; otherwise the store's own model is used.
    package var model: URL?

    package init(model: URL? = nil) { self.model = model }

    /// Checks one store.
    ///
    /// O(rows and relationships).
    ///
    /// - Parameter url: The store's file, or the address of a database.
    /// - Returns: The findings; any error is reported as a problem in them.
    package func check(_ url: URL) -> StoreReport {
        check(StoreCheck(url))
    }

    /// Checks one store with a model supplied by the caller.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - model: The model; a model that does not fit the store is reported as a problem.
    /// - Returns: The findings.
    package func check(_ url: URL, with model: NSManagedObjectModel) -> StoreReport {
        let check = StoreCheck(url)
        check.suppliedModel = model
        return self.check(check)
    }

    private func check(_ check: StoreCheck) -> StoreReport {
        let isDatabase = NSPersistentStoreCoordinator.databaseType(of: check.url) != nil
        if isDatabase {
            do {
                guard let type = try StoreLocation.databaseType(of: check.url) else { return check.report }
                try check.checkDatabase(type, model)
            } catch {
                let remedy = (error as NSError).localizedRecoverySuggestion.map { " \($0)" } ?? ""
                check.problems.add("The store: \(StoreCheck.text(error).asSentence)\(remedy)")
            }
        } else if let type = check.otherType() {
            check.step("The store") { try check.checkOtherStore(type, model) }
        } else {
            checkSQLite(check)
        }
        check.report.problems = check.problems.list()
        check.report.notes = check.notes.list()
        return check.report
    }

    private func checkSQLite(_ check: StoreCheck) {
        guard check.lookAtFile() else { return }
        check.step("The file") { try check.openFile() }
        guard check.connection != nil else { return }
        check.step("The integrity check") { try check.checkIntegrity() }
        check.step("The metadata") { try check.checkMetadata() }
        check.step("The tables") { try check.readTables() }
        check.step("The model") { try check.findModel(model) }
        check.step("Z_PRIMARYKEY") { try check.checkNumbers() }
        if check.resolvedModel != nil {
            check.step("The tables") { try check.checkTables() }
            check.step("The keys") { try check.checkKeys() }
            check.step("The values") { try check.checkValues() }
            check.step("The uniqueness constraints") { try check.checkUniqueness() }
            check.step("The relationships") { try check.checkRelationships() }
            check.step("The derived attributes") { try check.checkDerivedAttributes() }
            check.step("The external files") { try check.checkExternalFiles() }
        }
        check.step("The history") { try check.checkHistory() }
        check.step("The objects") { try check.walkObjects() }
        check.step("The file") { check.checkUnchanged() }
    }
}
