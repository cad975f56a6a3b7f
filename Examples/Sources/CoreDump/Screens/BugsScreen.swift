// A project's bugs, closed ones last.
import CoreData
import Foundation
import TableScreens

/// The bugs of one project, sorted by title.
struct BugsScreen: Screen {
    let path = "project/:project"

    func page(at place: Place) throws -> Page {
        let project = try place.object(Project.self, "project")
        let request: NSFetchRequest<Bug> = Bug.fetchRequest()
        request.predicate = NSPredicate(format: "project == %@", project)
        request.sortDescriptors = [
            NSSortDescriptor(key: "isClosed", ascending: true),
            NSSortDescriptor(key: "title", ascending: true, selector: "localizedStandardCompare:"),
        ]
        request.fetchBatchSize = 20
        let thumbnails = Thumbnails(of: request, attribute: "screenshot", in: place.context)
        return Page(
            title: project.name ?? "",
            back: Link("Projects", to: place.link([])),
            buttons: [.addLink(label: "New Bug", to: place.link(["project", .object(project), "new"]))],
            table: .fetched(
                request,
                of: project,
                sectionNameKeyPath: "isClosed",
                sectionTitle: { $0 == "1" ? "Closed" : "" },
                allowsDelete: true,
                showsDetail: .whileEditing,
                emptyText: "No bugs. Report the first one with +."
            ) { bug in
                let form = place.link(["bug", .object(bug)])
                return Row(
                    id: place.reference(bug),
                    title: RowText(bug.title, placeholder: "Untitled"),
                    decoration: thumbnails.address(of: bug, form: form).map { .thumbnail($0) },
                    style: bug.isClosed ? .dimmed : .plain,
                    styleLabel: bug.isClosed ? "closed" : nil,
                    detail: form,
                    action: .open(form)
                )
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "delete" else { throw ScreenError.unknownAction(action.name) }
        place.context.delete(try place.object(Bug.self, in: action))
        try place.context.save()
        return .stay
    }
}
