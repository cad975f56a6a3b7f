// Imports a large list in the background.
import CoreData
import Foundation
import TableScreens

/// Asks how many items to import, and starts the import.
struct ImportScreen: Screen {
    let path = "import"

    func page(at place: Place) throws -> Page {
        Page(
            title: "Import a List",
            back: Link("Prepare", to: place.link([])),
            form: Form(
                fields: [Field(name: "count", label: "Items", .number(10_000))],
                submit: "Import"
            )
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let count = Int(try action.number("count", in: 1...100_000))
        let job = Job("Importing items") { context, progress in
            try Supermarket(context: context).importItems(count, progress)
        }
        return .start(job, then: place.link([]))
    }
}
