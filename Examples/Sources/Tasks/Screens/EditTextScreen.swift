// A form with one field for a string of any object, through key-value coding: a task's text or a location's name.
import CoreData
import Foundation
import TableScreens

/// Edits one string property of an object, which saving may insert.
struct EditTextScreen: Screen {
    let path: String
    /// The title of the screen and the label of the field.
    let title: String
    /// The property.
    let key: String
    /// Whether an empty text is accepted.
    let allowsEmpty: Bool
    /// The link of the back button, opened after a save as well.
    let back: @Sendable (Place) throws -> Link
    /// The object that the address names, or nil if saving inserts it.
    let object: @Sendable (Place) throws -> NSManagedObject?
    /// The entity of the object to insert.
    let entityName: String

    func page(at place: Place) throws -> Page {
        let object = try object(place)
        let text = object?.value(forKey: key) as? String ?? ""
        return Page(
            title: title,
            back: try back(place),
            form: Form(fields: [Field(name: "value", label: title, .text(text))], isModal: object == nil)
        )
    }

    func perform(_ action: Action, at place: Place) throws -> Outcome {
        guard action.name == "save" else { throw ScreenError.unknownAction(action.name) }
        let text = try action.text("value")
        guard allowsEmpty || !text.isEmpty else { throw ScreenError.badInput("Enter a name.") }
        let back = try back(place)
        let object =
            try object(place)
            ?? NSEntityDescription.insertNewObject(forEntityName: entityName, into: place.context)
        object.setValue(text, forKey: key)
        try place.context.save()
        return .open(back.address)
    }
}

extension EditTextScreen {
    /// A task's text.
    static let taskText = EditTextScreen(
        path: "task/:task/text",
        title: "Text",
        key: "text",
        allowsEmpty: true,
        back: { place in
            Link("Task Detail", to: place.link(["task", .object(try place.object(Task.self, "task"))]))
        },
        object: { try $0.object(Task.self, "task") },
        entityName: "Task"
    )

    /// A new location's name.
    ///
    /// Saving inserts the location, so Cancel leaves nothing behind.
    static let newLocation = EditTextScreen(
        path: "task/:task/location/new",
        title: "New Location",
        key: "name",
        allowsEmpty: false,
        back: { place in
            let task = try place.object(Task.self, "task")
            return Link("Location", to: place.link(["task", .object(task), "location"]))
        },
        object: { _ in nil },
        entityName: "Location"
    )

    /// A location's name, reached from the choice of a task's location.
    static let locationName = EditTextScreen(
        path: "task/:task/location/:location",
        title: "Location Name",
        key: "name",
        allowsEmpty: false,
        back: newLocation.back,
        object: { try $0.object(Location.self, "location") },
        entityName: "Location"
    )
}
