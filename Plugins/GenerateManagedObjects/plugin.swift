// The build plugin: finds the models and Swift files of the target it is applied to, and runs generate-managed-objects
// to write the target's managed object classes, accessors and registration before compilation.
import Foundation
import PackagePlugin

@main
struct GenerateManagedObjects: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else {
            Diagnostics.error("GenerateManagedObjects works on Swift targets only, and \(target.name) is none.")
            return []
        }
        let files = try TargetFiles(folder: target.directoryURL)
        let sources = target.swiftFiles
        let dependencies = target.sourceDependencies
        let output = context.pluginWorkDirectoryURL.appending(path: "ManagedObjects")
        var arguments = ["--module", target.moduleName, "--output", output.path]
        for model in files.models { arguments += ["--model", model.path] }
        for mapping in files.mappings { arguments += ["--mapping", mapping.path] }
        for source in sources { arguments += ["--source", source.path] }
        for dependency in dependencies {
            arguments += ["--dependency", "\(dependency.moduleName)=\(dependency.directoryURL.path)"]
        }
        if let module = target.importedModule { arguments += ["--import", module] }
        let names = [
            "ManagedAccessors.swift", "ManagedGraphAliases.swift", "ManagedObjectRegistration.swift",
            "ManagedObjects.swift",
        ]
        return [
            .buildCommand(
                displayName: "Generating managed objects of \(target.name)",
                executable: try context.tool(named: "generate-managed-objects").url,
                arguments: arguments,
                // The symbols of accessors change if a type of a dependency becomes one of another kind.
                inputFiles: sources + dependencies.flatMap { $0.swiftFiles } + files.models + files.mappings
                    + files.modelFiles,
                outputFiles: names.map { output.appending(path: $0) }
            )
        ]
    }
}

extension SourceModuleTarget {
    /// The target's Swift files.
    fileprivate var swiftFiles: [URL] {
        // The list omits excluded files; generated files outside the folder do not exist yet.
        sourceFiles(withSuffix: ".swift").map(\.url).filter { $0.path.hasPrefix(directoryURL.path) }
    }

    /// Targets of the same package that this one depends on, directly or indirectly: it may use their types.
    fileprivate var sourceDependencies: [any SourceModuleTarget] {
        var result: [any SourceModuleTarget] = []
        for case .target(let target) in dependencies {
            guard let target = target as? any SourceModuleTarget, target.kind == .generic else { continue }
            result.append(target)
            result += target.sourceDependencies
        }
        var seen: Set<String> = []
        return result.filter { seen.insert($0.moduleName).inserted }
    }

    /// `CoreData` if the target depends on that product and not on ManagedGraph itself.
    fileprivate var importedModule: String? {
        var names: Set<String> = []
        for dependency in dependencies {
            switch dependency {
            case .product(let product): names.insert(product.name)
            case .target(let target): names.insert(target.name)
            @unknown default: break
            }
        }
        return !names.contains("ManagedGraph") && names.contains("CoreData") ? "CoreData" : nil
    }
}
