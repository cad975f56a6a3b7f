// A project's name and URL.
import CoreData
import Foundation
import TableScreens

/// The modal form of a project.
///
/// If the address names no project, saving creates one.
struct ProjectFormScreen: Screen {
    static let new = ProjectFormScreen(path: "new", isNew: true)
    static let edit = ProjectFormScreen(path: "project/:project/edit", isNew: false)

    let path: String
    let isNew: Bool

    func page(at place: Place) throws -> Page {
        let project = try isNew ? nil : place.object(Project.self, "project")
        return Page(
            title: isNew ? "New Project" : "Project",
            back: Link("Projects", to: place.link([])),
            form: Form(
                fields: [
                    Field(name: "name", label: "Name", .text(project?.name ?? "")),
                    Field(name: "url", label: "URL", .text(project?.url ?? "")),
                ],
                isModal: true
            )
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let name = try action.text("name")
        let url = try action.text("url")
        guard !name.isEmpty else { throw ScreenError.badInput("Enter the project’s name.") }
        let project = try isNew ? Project(context: place.context) : place.object(Project.self, "project")
        project.set(name: name, url: url)
        try place.context.save()
        return .open(place.link([]))
    }
}
