// The problems of model files, for `managedgraph model check`: parts that the readers reject or replace, and parts that
// they do not examine (predicates, expressions, stored requests). It reads files and changes nothing.
import Foundation
import GraphModel
import GraphModelFiles
import GraphSQL
import ManagedGraph

/// Checks model files.
package enum ModelChecker {
    /// Checks the model or folder at a path.
    ///
    /// - Parameters:
    ///   - path: A model of any form, all of whose versions are checked, a store, or a folder, which is searched for
    ///     models.
    ///   - report: Receives the report of each model as soon as it is complete.
    /// - Throws: Errors thrown by `report`.
    package static func check(_ path: String, report: (ModelReport) throws -> Void) throws {
        guard !path.isEmpty else {
            var nothing = ModelReport(file: path)
            nothing.add(ModelFileError(file: path, reason: "there is no file without a name."))
            return try report(nothing)
        }
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        guard exists, isFolder.boolValue, !isModel(url) else { return try report(check(model: path)) }
        var count = 0
        for modelPath in ModelSearch.paths(in: url, kinds: ModelFinder.kinds + NSMappingModel.kinds) {
            count += 1
            try report(check(model: path.hasSuffix("/") ? path + modelPath : "\(path)/\(modelPath)"))
        }
        if count == 0 {
            var nothing = ModelReport(file: path)
            nothing.findings = [
                .init(
                    level: .error,
                    reason: "the folder contains no model. Name a folder with models of Xcode, or compiled ones."
                )
            ]
            try report(nothing)
        }
    }

    /// Whether a folder is a model, judged by its name or its contents.
    private static func isModel(_ url: URL) -> Bool {
        (ModelFinder.kinds + NSMappingModel.kinds).contains(url.pathExtension)
            || ["contents", "elements"].contains {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: url.appending(path: $0).path, isDirectory: &isFolder)
                    && !isFolder.boolValue
            }
    }

    /// Checks one model with all its versions.
    private static func check(model path: String) -> ModelReport {
        if NamedMappingModel.isMapping(path) { return check(mapping: path) }
        var report = ModelReport(file: path)
        let list: [(name: String, read: () throws -> NamedModel)]
        var current: String?
        do {
            (list, current) = try versions(at: path)
        } catch {
            report.add(error)
            return report
        }
        do {
            // A missing current version is a problem, but the other versions are still checked.
            if !NamedModel.isStore(URL(fileURLWithPath: path)) {
                _ = try ModelFile.listVersions(at: URL(fileURLWithPath: path))
            }
        } catch {
            report.add(error)
            current = nil
        }
        report.versions = list.map(\.name)
        report.version = current
        for version in list {
            let name = list.count > 1 ? version.name : nil
            do {
                let contents = try version.read()
                if version.name == current { report.entities = contents.model.entities.count }
                report.add(contents.findings + unusableParts(of: contents.model), version: name)
            } catch {
                report.add(error, version: name)
            }
        }
        return report
    }

    /// The problems in parts that the readers do not examine.
    private static func unusableParts(of model: Model) -> [ModelProblem] {
        FetchChecker.unreadableFormats(of: model) + FetchChecker.brokenRequests(of: model).map(\.finding)
    }

    /// The versions at a path, each with a closure that reads it, so that a broken version does not keep the others
    /// from being checked.
    private static func versions(
        at path: String
    ) throws -> (list: [(name: String, read: () throws -> NamedModel)], current: String?) {
        if NamedModel.isStore(URL(fileURLWithPath: path)) {
            let model = try NamedModel.read(path)
            return ([(model.name, { model })], model.name)
        }
        let list = try ModelFile.listVersions(at: URL(fileURLWithPath: path), needsCurrent: false)
        return (
            list.versions.map { version in (version.name, { try NamedModel.read(version, of: list) }) },
            list.currentName
        )
    }
}
