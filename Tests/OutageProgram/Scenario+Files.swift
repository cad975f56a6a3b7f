// Scenarios with files that are not stores: models and exports.
import Foundation
import GraphArchives
import GraphModel
import GraphModelFiles
import GraphModelling
import ManagedGraph
import ManagedGraphTools

extension Scenario {
    private static func model(_ titles: [String]) -> Model {
        let properties = titles.map { Property.attribute(Attribute(common: PropertyCommon(name: $0), type: .string)) }
        return Model(entities: [Entity(name: "Note", properties: properties)])
    }

    /// The text of every file in a folder; "none" without it.
    private static func text(_ folder: URL) throws -> String {
        guard FileManager.default.fileExists(atPath: folder.path) else { return "none" }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        return paths.map { path in
            let data = FileManager.default.contents(atPath: folder.appending(path: path).path) ?? Data()
            return "\(path): \(String(decoding: data, as: UTF8.self))"
        }
        .joined(separator: "\n")
    }

    static var files: [Scenario] {
        let path = "Models/Model.xcdatamodeld"
        func write(_ url: URL, _ versions: Int) throws {
            let models = (1...versions).map { number in
                ModelOutput.Version(name: "V\(number)", model: model((1...number).map { "title\($0)" }))
            }
            _ = try ModelOutput(url, isReplacing: true).write(models, current: "V\(versions)")
        }
        func addition(_ name: String) -> ModelEdit { .addProperty(entity: "Note", kind: .attribute, name: name) }
        func export(_ folder: URL) throws {
            let reading = try StoreReading(folder.appending(path: "Store.sqlite"))
            let export = try StoreExport(reading, entity: nil) { _, _ in }
            let draft = try FileDraft(of: folder.appending(path: "Notes.json").path)
            _ = try export.writeLines { bytes in try bytes.withUnsafeBytes { try draft.write($0) } }
            try draft.place()
        }
        return [
            Scenario(
                name: "model files",
                prepare: { _ in },
                begin: { folder in
                    let url = folder.appending(path: path)
                    let steps = (1...3).map { number in
                        Step("\(number) versions", isAtomic: false) {
                            try write(url, number)
                            return ""
                        }
                    }
                    return (steps, {})
                },
                content: { [try text($0.appending(path: path))] },
                check: { folder in
                    try write(folder.appending(path: path), 2)
                    return Desk.leftovers(folder.appending(path: "Models"), ["Model.xcdatamodeld"])
                }
            ),
            Scenario(
                name: "studio",
                prepare: { try write($0.appending(path: path), 2) },
                begin: { folder in
                    var opened: ModelSession?
                    func session() throws -> ModelSession {
                        if let opened { return opened }
                        let newSession = try ModelSession(opening: folder.appending(path: path))
                        if let reason = newSession.picture().versions.compactMap(\.error).first {
                            throw ModelFileError(file: path, reason: reason, code: .fileReadUnknown)
                        }
                        opened = newSession
                        return newSession
                    }
                    func save(_ name: String, _ edit: @escaping () throws -> Void) -> Step {
                        var isEdited = false
                        return Step(name, isAtomic: false) {
                            if !isEdited { try edit() }
                            isEdited = true
                            try session().save()
                            return ""
                        }
                    }
                    let steps = [
                        save("property") { try session().apply(addition("a")) },
                        save("version") {
                            try session().addVersion(named: "V3")
                            try session().apply(addition("b"))
                        },
                        save("current version") { try session().setCurrent(version: "V1") },
                    ]
                    return (steps, {})
                },
                // Each file is old or new, and the current version is one that can be read.
                content: { folder in
                    let url = folder.appending(path: path)
                    _ = try ModelFile.listVersions(at: url, needsCurrent: true)
                    return ["V1", "V2", "V3"].map { name in
                        let file = url.appending(path: "\(name).xcdatamodel/contents").path
                        return FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
                            ?? "none"
                    } + [
                        try String(contentsOf: url.appending(path: ".xccurrentversion"), encoding: .utf8)
                    ]
                },
                check: { folder in
                    let url = folder.appending(path: path)
                    let session = try ModelSession(opening: url)
                    try session.apply(addition("c"))
                    try session.save()
                    return Desk.leftovers(folder.appending(path: "Models"), ["Model.xcdatamodeld"])
                }
            ),
            Scenario(
                name: "export",
                prepare: { folder in
                    let desk = try Desk(folder.appending(path: "Store.sqlite"))
                    defer { desk.close() }
                    _ = try desk.save(add: 1...9)
                },
                begin: { folder in
                    let step = Step("export") {
                        try export(folder)
                        return ""
                    }
                    return ([step], {})
                },
                content: { folder in
                    let data = FileManager.default.contents(atPath: folder.appending(path: "Notes.json").path)
                    return [
                        try Desk.content(folder.appending(path: "Store.sqlite")),
                        data.map { String(decoding: $0, as: UTF8.self) } ?? "none",
                    ]
                },
                check: { folder in
                    try export(folder)
                    return try Desk.check(folder.appending(path: "Store.sqlite"))
                        + Desk.leftovers(folder, ["Store.sqlite", "Notes.json"])
                }
            ),
        ]
    }
}
