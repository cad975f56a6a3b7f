// What is wrong with model files, for `managedgraph model check`: everything that the readers refuse, and what they let pass but
// nobody can use (predicates, expressions, stored requests). It reads and changes nothing.
import Foundation
import GraphModel
import GraphModelFiles
import GraphPredicates
import GraphSQL

/// What was found in one model file.
package struct ModelReport: Sendable {
    /// The path, as it was given or found.
    package var file: String
    /// The current version's entities; 0 where it cannot be read.
    package var entities = 0
    /// The name of the current version.
    package var version: String?
    /// The names of all versions.
    package var versions: [String] = []
    /// Each in one sentence or two, with the version, where there are several, the entity and the property.
    package var problems: [String] = []

    package var isOK: Bool { problems.isEmpty }
}

/// Checks model files.
package enum ModelChecker {
    /// Checks what a path names.
    ///
    /// - Parameters:
    ///   - path: A model of any form, all of whose versions are checked, a store, or a folder, which is searched for models.
    ///   - report: Gets a report for each model, as soon as it is there.
    /// - Throws: What `report` throws.
    package static func check(_ path: String, report: (ModelReport) throws -> Void) throws {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard exists, isFolder.boolValue, !isModel(url) else { return try report(check(model: path)) }
        var count = 0
        for found in models(in: url) {
            count += 1
            try report(check(model: path.hasSuffix("/") ? path + found : "\(path)/\(found)"))
        }
        if count == 0 {
            var nothing = ModelReport(file: path)
            nothing.problems = ["the folder holds no model. Name a folder with models of Xcode, or compiled ones."]
            try report(nothing)
        }
    }

    /// The models below a folder, by path; hidden folders are passed over, as are versions inside of others.
    private static func models(in folder: URL) -> [String] {
        guard let found = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var result: [String] = []
        while let path = found.nextObject() as? String {
            let name = (path as NSString).lastPathComponent
            if name.hasPrefix(".") {
                found.skipDescendants()
            } else if ModelFinder.kinds.contains((name as NSString).pathExtension) {
                result.append(path)
                found.skipDescendants()
            }
        }
        return result.sorted()
    }

    /// Whether a folder is a model: by its name, or by what is in it.
    private static func isModel(_ url: URL) -> Bool {
        ModelFinder.kinds.contains(url.pathExtension)
            || ["contents", "elements"].contains {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: url.appending(path: $0).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
    }

    /// Checks one model with all its versions.
    private static func check(model path: String) -> ModelReport {
        var report = ModelReport(file: path)
        let list: [(name: String, read: () throws -> NamedModel)]
        var current: String?
        do {
            (list, current) = try versions(at: path)
        } catch {
            report.problems = lines(of: error, file: path)
            return report
        }
        do {
            // A current version that is missing is a problem; the others are checked all the same.
            if !NamedModel.isStore(URL(fileURLWithPath: path)) {
                _ = try ModelFile.listVersions(at: URL(fileURLWithPath: path))
            }
        } catch {
            report.problems = lines(of: error, file: path)
            current = nil
        }
        report.versions = list.map(\.name)
        report.version = current
        for version in list {
            let prefix = list.count > 1 ? "\(version.name): " : ""
            do {
                let model = try version.read().model
                if version.name == current { report.entities = model.entities.count }
                report.problems += problems(of: model).map { prefix + $0 }
            } catch {
                report.problems += lines(of: error, file: path).map { prefix + $0 }
            }
        }
        return report
    }

    /// The versions at a path with what reads each; one that is broken does not keep the others from being checked.
    private static func versions(
        at path: String
    ) throws -> (list: [(name: String, read: () throws -> NamedModel)], current: String?) {
        if NamedModel.isStore(URL(fileURLWithPath: path)) {
            let model = try NamedModel.read(path)
            return ([(model.name, { model })], model.name)
        }
        let list = try ModelFile.listVersions(at: URL(fileURLWithPath: path))
        return (
            list.versions.map { version in
                (version.name, { try NamedModel.read(path, version: version.name) })
            }, list.currentName
        )
    }

    /// The problems that an error tells, without the file, which the report names.
    private static func lines(of error: any Error, file: String) -> [String] {
        guard let error = error as? ModelFileError else { return [error.localizedDescription] }
        guard error.problems.isEmpty else { return error.problems.map(\.description) }
        let place = [error.entity, error.property].compactMap(\.self).joined(separator: ".")
        return [place.isEmpty ? error.reason : "\(place): \(error.reason)"]
    }

    // MARK: What readers let pass

    /// What is wrong with formats and stored requests of a model that could be read.
    private static func problems(of model: Model) -> [String] {
        var problems = model.problems().map(\.description)
        for entity in model.entities {
            for property in entity.properties {
                problems += formats(of: property).map { "\(entity.name).\(property.name): \($0)" }
            }
            for index in entity.indexes {
                let parts = index.elements.compactMap(\.expressionFormat).compactMap(expression)
                let partial = index.partialPredicateFormat.flatMap(predicate)
                problems += (parts + [partial].compactMap(\.self)).map {
                    "\(entity.name): fetch index \(index.name): \($0)"
                }
            }
        }
        problems += FetchChecker.brokenRequests(of: model).map { broken in
            let place = broken.template.map { "fetch request \($0)" } ?? "\(broken.entity).\(broken.property ?? "")"
            return "\(place): \(broken.reason)"
        }
        return problems
    }

    private static func formats(of property: Property) -> [String] {
        var problems = property.common.validations.compactMap { predicate($0.predicateFormat) }
        if case .attribute(let attribute) = property {
            problems += [attribute.derivationExpressionFormat.flatMap(expression)].compactMap(\.self)
            problems += attribute.elements.flatMap { formats(of: .attribute($0)) }
        }
        return problems
    }

    private static func predicate(_ format: String) -> String? {
        do {
            _ = try NSPredicate(validating: format)
            return nil
        } catch {
            return "the predicate \"\(format)\" cannot be read: \(error)"
        }
    }

    private static func expression(_ format: String) -> String? {
        do {
            _ = try NSExpression(validating: format)
            return nil
        } catch {
            return "the expression \"\(format)\" cannot be read: \(error)"
        }
    }
}
