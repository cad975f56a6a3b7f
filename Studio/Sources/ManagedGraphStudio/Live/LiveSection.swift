// The section Live: the activity beneath running containers.
import CoreData
import Hummingbird

struct LiveSection: StudioSection {
    let name = "live"
    let title = "Live"

    func suits(_ source: StudioSource) -> Bool {
        if case .container = source.kind { true } else { false }
    }

    func addRoutes(to group: RouterGroup<StudioRequestContext>) {
        group.get("stores") { _, context -> [String] in
            guard case .container(let container, _) = context.source.kind else { return [] }
            return container.persistentStoreCoordinator.persistentStores.compactMap { $0.url?.path }
        }
    }
}
