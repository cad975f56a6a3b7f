// Type-checks a file with the framework that was built beside the tests.
import Foundation
import TestSupport

enum FrameworkCompiler {
    private static let build = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    private static let runtime = build.appending(path: "CSwiftRuntime.build/module.modulemap")

    static var isPresent: Bool {
        let module = build.appending(path: "Modules/CoreData.swiftmodule")
        return [module, runtime].allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The lines of compiler errors.
    static func errors(in text: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "porting-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Sample.swift")
        try Data(text.utf8).write(to: file)
        let (status, text) = try Process.output(of: [
            "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "5", "-module-name", "App",
            "-I", build.appending(path: "Modules").path, "-I", sources.appending(path: "CSQLite").path,
            "-Xcc", "-fmodule-map-file=\(runtime.path)", file.path,
        ])
        let lines = text.split(separator: "\n").filter { $0.contains("error:") }
        // A compiler that fails without a message has not succeeded.
        return status == 0 ? [] : lines.isEmpty ? ["no message"] : lines.map(String.init)
    }
}
