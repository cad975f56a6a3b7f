// A folder of sources: finds the Swift files and models, ports each module, and writes the changed files. Called by
// `managedgraph port`.
import Foundation
import GraphArchives
import GraphCodeGeneration
import GraphModelFiles

/// A code base on disk.
package struct PortingFolder {
    /// The reason why nothing can be ported.
    package struct Failure: Error, Sendable {
        package var file: String
        package var reason: String
    }

    /// A file of the code base.
    package struct Result: Sendable {
        /// The path, starting with the given one.
        package var path: String
        /// The ported texts; nil for an unreadable file.
        package var ported: Porter.Ported?
        package var findings: [Finding]
    }

    /// Folders with build products or third-party code.
    private static let skipped: Set<String> = [
        ".build", ".git", ".swiftpm", "build", "Build", "Carthage", "DerivedData", "Pods", "SourcePackages", "vendor",
        "node_modules", "xcuserdata", "fastlane",
    ]

    private let path: String
    /// The name of the folder if it is Sources or Tests of a package: the folders in it are modules.
    private let folderOfModules: String?
    private let files: [String]
    private let generated: [String: String]
    private let generatedSets: Set<String>
    private let manifest: PackageManifest
    private let policySelectors: Set<String>

    /// Searches for sources.
    ///
    /// - Parameter path: A folder, or one Swift file.
    /// - Throws: `Failure` if there is no such folder, it cannot be read, or it has no Swift files.
    package init(_ path: String) throws {
        self.path = path
        guard let isFolder = try Self.isFolder(path) else {
            throw Failure(file: path, reason: "the file or folder does not exist. Check the path.")
        }
        if ["xcdatamodeld", "xcdatamodel", "momd", "mom", "xcmappingmodel"].contains((path as NSString).pathExtension) {
            throw Failure(file: path, reason: "this is a model. Name the folder with the Swift sources.")
        }
        guard isFolder else {
            guard path.hasSuffix(".swift") else {
                throw Failure(
                    file: path,
                    reason: "this is neither a folder nor a Swift file. Name the folder with the sources."
                )
            }
            files = [path]
            folderOfModules = nil
            generated = [:]
            generatedSets = []
            policySelectors = []
            manifest = PackageManifest(around: (path as NSString).deletingLastPathComponent)
            return
        }
        var paths: [String] = []
        var models: [String] = []
        try Self.search(path, &paths, &models)
        guard !paths.isEmpty else {
            throw Failure(file: path, reason: "the folder contains no Swift files. Name the folder with the sources.")
        }
        files = paths
        folderOfModules = Self.folderOfModules(path)
        let classes = Self.classes(of: models.filter { $0.hasSuffix(".xcdatamodeld") })
        generated = Self.generatedClasses(classes)
        generatedSets = EntityClasses.generatedSets(classes)
        policySelectors = MappingSelectors.all(in: models.filter { $0.hasSuffix(".xcmappingmodel") })
        manifest = PackageManifest(around: path)
    }

    /// Whether a path is that of a folder; nil if there is nothing.
    private static func isFolder(_ path: String) throws -> Bool? {
        do {
            return try FilePlacement.isFolder(path)
        } catch {
            throw Failure(file: path, reason: "it cannot be examined: \(error.systemReason). Check its permissions.")
        }
    }

    /// Ports all files; writes nothing.
    ///
    /// - Parameter progress: Called with the number of completed modules and the total.
    /// - Returns: The files, sorted by path.
    package func port(progress: (Int, Int) throws -> Void = { _, _ in }) rethrows -> [Result] {
        var results: [Result] = []
        var modules: [String: [Porter.Source]] = [:]
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else {
                results.append(unreadable(file, "the file cannot be read", "Check its permissions."))
                continue
            }
            guard let source = String(validating: data, as: UTF8.self) else {
                results.append(unreadable(file, "the file is not UTF-8", "Save it as UTF-8."))
                continue
            }
            modules[module(of: file), default: []].append(Porter.Source(path: file, text: source))
        }
        var surroundings = Porter.Surroundings()
        surroundings.hasOpenCombine = manifest.names("OpenCombine")
        surroundings.policySelectors = policySelectors
        surroundings.generatedSets = generatedSets
        let ported = try Porter.port(
            modules.keys.sorted().map { Porter.Module(modules[$0] ?? [], generated: generated) },
            in: surroundings,
            progress: progress
        )
        for files in ported {
            var needed = manifest.missingProducts
            for file in files {
                let missing = needed.findings(in: file)
                let findings = (file.findings + missing).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
                results.append(Result(path: file.path, ported: file, findings: findings))
            }
        }
        return results.sorted { $0.path < $1.path }
    }

    /// Writes a ported file.
    ///
    /// - Parameter ported: The file.
    /// - Throws: Errors of the file system, and `Failure` if the file was changed in the meantime; it is then left
    ///   alone.
    package static func write(_ ported: Porter.Ported) throws {
        guard FileManager.default.contents(atPath: ported.path) == Data(ported.before.utf8) else {
            throw Failure(
                file: ported.path,
                reason: "the file was changed meanwhile, and is left alone. Port it again."
            )
        }
        try FileReplacement.write(Data(ported.after.utf8), to: ported.path)
    }

    private func unreadable(_ file: String, _ message: String, _ remedy: String) -> Result {
        let finding = Finding(
            file: file,
            line: 1,
            column: 1,
            rule: "file",
            message: message,
            remedy: remedy,
            isFixed: false
        )
        return Result(path: file, ported: nil, findings: [finding])
    }

    /// The module of a file: the folder that the manifest names, or the one inside Sources or Tests of a package, otherwise
    /// the whole code base.
    private func module(of file: String) -> String {
        if let folder = manifest.targetFolder(of: file) { return folder }
        let inner = file.dropFirst(path.count).split(separator: "/").map(String.init)
        let parts = [folderOfModules].compactMap(\.self) + inner
        guard let place = parts.firstIndex(where: { Self.foldersOfModules.contains($0) }), place + 2 < parts.count
        else {
            return ""
        }
        return parts[...(place + 1)].joined(separator: "/")
    }

    private static let foldersOfModules = ["Sources", "Tests"]

    private static func folderOfModules(_ path: String) -> String? {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        let manifest = url.deletingLastPathComponent().appendingPathComponent("Package.swift")
        let isPart = FileManager.default.fileExists(atPath: manifest.path)
        return isPart && foldersOfModules.contains(url.lastPathComponent) ? url.lastPathComponent : nil
    }

    private static func search(_ folder: String, _ files: inout [String], _ models: inout [String]) throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw Failure(file: folder, reason: "the folder cannot be read. Check its permissions.")
        }
        for name in names {
            let path = (folder as NSString).appendingPathComponent(name)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            switch attributes?[.type] as? FileAttributeType {
            case .typeDirectory?:
                if name.hasSuffix(".xcdatamodeld") || name.hasSuffix(".xcmappingmodel") {
                    models.append(path)
                } else if !skipped.contains(name), !name.hasSuffix(".playground"), !name.hasSuffix(".xcodeproj") {
                    try search(path, &files, &models)
                }
            case .typeRegular?:
                // A package manifest does not belong to a module.
                if name.hasSuffix(".swift"), name != "Package.swift" { files.append(path) }
            default: break
            }
        }
    }

    /// The classes of the models' current versions; unreadable models are ignored.
    private static func classes(of models: [String]) -> [EntityClasses] {
        models.compactMap { path in
            let versions = try? ModelFile.readVersionedModel(at: URL(fileURLWithPath: path))
            return versions?.current.map { EntityClasses([$0.model]) }
        }
    }

    /// The superclasses of the classes that models have Xcode generate.
    private static func generatedClasses(_ models: [EntityClasses]) -> [String: String] {
        var result: [String: String] = [:]
        for item in models.flatMap(\.classes) where item.codeGeneration == .classDefinition {
            result[item.name] = item.superclass
        }
        return result
    }
}
