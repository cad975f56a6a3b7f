// The projects, in sections by host.
import CoreData
import Foundation
import TableScreens

/// All projects by host and name, or those that match a search.
struct ProjectsScreen: Screen {
    let path = ""
    let queryKeys = [Search.queryKey]

    func page(at place: Place) throws -> Page {
        let request: NSFetchRequest<Project> = Project.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "host", ascending: true),
            NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
        ]
        request.fetchBatchSize = 20
        return Page(
            title: "Projects",
            buttons: [.addLink(label: "New Project", to: place.link(["new"]))],
            table: .fetched(
                request,
                sectionNameKeyPath: "host",
                cacheName: "Master",
                sectionTitle: { $0.isEmpty ? "No Host" : $0 },
                allowsDelete: true,
                hasSubtitles: true,
                showsDetail: .whileEditing,
                search: Search("Search Projects", at: place) { text in
                    NSPredicate(format: "name contains[c] %@ or url contains[c] %@", text, text)
                },
                emptyText: "No projects yet. Add the first one with +."
            ) { project in
                Row(
                    id: place.reference(project),
                    title: RowText(project.name, placeholder: "Untitled"),
                    subtitle: RowText(project.url, placeholder: "No URL"),
                    detail: place.link(["project", .object(project), "edit"]),
                    action: .open(place.link(["project", .object(project)]))
                )
            }
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "delete" else { throw ScreenError.unknownAction(action.name) }
        place.context.delete(try place.object(Project.self, in: action))
        try place.context.save()
        return .stay
    }
}
