// CoreDump: a bug tracker. Projects in sections by host, their bugs, and a screenshot for each.
import CoreData
import Foundation
import TableScreens

/// The application.
public let coreDumpApplication = TableApplication(
    name: "CoreDump",
    title: "CoreDump",
    summary: "A bug tracker: projects by host, and bugs with their screenshots.",
    symbol: "✱",
    tint: .red,
    modelName: "CoreDump",
    screens: [
        ProjectsScreen(), ProjectFormScreen.new, ProjectFormScreen.edit, BugsScreen(), BugFormScreen.new,
        BugFormScreen.edit,
    ],
    keepsHistory: true,
    proves: "Large pictures in files beside the store, a cascading delete rule, a search in memory, a section cache, "
        + "a history of every save.",
    samples: { try Project.insertSamples(in: $0) }
)
