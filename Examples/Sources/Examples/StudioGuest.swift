// The studio beside the sample applications, attached to their running containers. Created by ExamplesCommand.
import Foundation
import ManagedGraphStudio
import TableScreens

enum StudioGuest {
    /// The sections that the pages of an application link to, and the words of the links.
    private static let links = [("model", "Model"), ("data", "Rows"), ("live", "SQL")]

    /// Returns the studio of the applications whose stores are open.
    static func make(_ applications: [TableApplication], of server: ScreenServer) throws -> ServerGuest {
        var sources: [StudioSource] = []
        var names: [String] = []
        for application in applications {
            guard let store = server.store(application.name) else { continue }
            sources.append(
                StudioSource(store.container, title: application.title, modelFile: modelFile(application.modelName))
            )
            names.append(application.name)
        }
        let studio = try Studio(sources, home: StudioHome(title: "Applications", address: "/"))
        let byName = Dictionary(uniqueKeysWithValues: zip(names, studio.sources.map(\.id)))
        return ServerGuest(
            path: "studio",
            title: "Studio",
            summary: "The models, rows and SQL of the five running applications, in a modeller and a browser of data.",
            address: studio.address(),
            links: { name in
                guard let source = byName[name] else { return [] }
                let sections = studio.sections(of: source)
                return links.filter { sections.contains($0.0) }.map { section, title in
                    ServerGuest.Link(title, to: studio.address(of: source, section: section))
                }
            },
            respond: { await studio.respond(to: $0, logger: $1) },
            close: { studio.close() }
        )
    }

    /// The model in the sources, if they are still at the place of the build.
    private static func modelFile(_ name: String) -> URL? {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = sources.appendingPathComponent("\(name)/\(name).xcdatamodeld")
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }
}
