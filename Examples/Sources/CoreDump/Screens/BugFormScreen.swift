// The form of a bug: title, details, screenshot, and whether it is closed.
import CoreData
import Foundation
import TableScreens

/// The modal form of a bug.
///
/// If the address names no bug, saving creates one.
struct BugFormScreen: Screen {
    static let new = BugFormScreen(path: "project/:project/new", isNew: true)
    static let edit = BugFormScreen(path: "bug/:bug", isNew: false)

    let path: String
    let isNew: Bool

    func page(at place: Place) throws -> Page {
        let bug = try isNew ? nil : place.object(Bug.self, "bug")
        var fields = [
            Field(name: "title", label: "Title", .text(bug?.title ?? "")),
            Field(name: "details", label: "Details", .longText(bug?.details ?? "")),
            Field(name: "screenshot", label: "Screenshot", .picture(bug?.screenshot)),
        ]
        if let bug { fields.append(Field(name: "isClosed", label: "Closed", .flag(bug.isClosed))) }
        return Page(
            title: isNew ? "New Bug" : "Bug",
            back: Link("Bugs", to: place.link(["project", .object(try project(of: bug, at: place))])),
            form: Form(fields: fields, isModal: true)
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let title = try action.text("title")
        let details = try action.text("details", limit: Field.longTextLimit)
        let screenshot = try action.picture("screenshot")
        guard !title.isEmpty else { throw ScreenError.badInput("Enter a title: the fault in a few words.") }
        let existing = try isNew ? nil : place.object(Bug.self, "bug")
        let project = try project(of: existing, at: place)
        let bug = existing ?? Bug(context: place.context)
        bug.project = project
        bug.title = title
        bug.details = details
        if !isNew { bug.isClosed = action.flag("isClosed") }
        switch screenshot {
        case .unchanged: break
        case .removed: bug.screenshot = nil
        case .replaced(let data): bug.screenshot = data
        }
        try place.context.save()
        return .open(place.link(["project", .object(project)]))
    }

    private func project(of bug: Bug?, at place: Place) throws -> Project {
        guard let project = try bug.map({ $0.project }) ?? place.object(Project.self, "project") else {
            throw ScreenError.notFound
        }
        return project
    }
}
