// The address of a screen, with access to its objects. Confined to the context's queue, like the objects that it
// returns; created for each request.
import CoreData
import Foundation

/// The address of a screen: the objects and words in its path, its query and its reader.
public struct Place {
    /// The context that the screen reads and changes.
    public let context: NSManagedObjectContext
    /// The query, limited to the screen's query keys.
    public let query: [String: String]
    /// The reader's language.
    public let locale: Locale
    /// The reader's time zone.
    public let timeZone: TimeZone
    let applicationName: String
    let screenPath: String
    let parameters: [String: String]
    let storeUUID: String

    /// The object that a path component names.
    ///
    /// - Parameters:
    ///   - type: The object's class.
    ///   - parameter: The component's name in the screen's path, without the colon.
    /// - Returns: The object, fetched from the store if necessary.
    /// - Throws: `ScreenError.notFound` if there is none.
    public func object<T: NSManagedObject>(_ type: T.Type, _ parameter: String) throws -> T {
        guard let reference = parameters[parameter] else { throw ScreenError.notFound }
        return try object(type, reference: reference)
    }

    /// The object that a field of a form names.
    ///
    /// - Parameters:
    ///   - type: The object's class.
    ///   - action: The form.
    ///   - field: The field's name.
    /// - Returns: The object, fetched from the store if necessary.
    /// - Throws: `ScreenError.notFound` if there is none.
    public func object<T: NSManagedObject>(_ type: T.Type, in action: Action, field: String = "value") throws -> T {
        try object(type, reference: action.fields[field] ?? "")
    }

    /// The object that a choice field of a form names.
    ///
    /// - Parameters:
    ///   - type: The object's class.
    ///   - action: The form.
    ///   - field: The field's name.
    /// - Returns: The object, or nil if none was chosen.
    /// - Throws: `ScreenError.badInput` if the field is missing, or if its object is gone.
    public func chosen<T: NSManagedObject>(_ type: T.Type, in action: Action, field: String) throws -> T? {
        let reference = try action.text(field)
        guard !reference.isEmpty else { return nil }
        guard let object = try? object(type, reference: reference) else {
            throw ScreenError.badInput("The chosen object has been deleted. Choose again.")
        }
        return object
    }

    /// A path component that is a word and not an object.
    ///
    /// - Parameter parameter: The component's name in the screen's path, without the colon.
    /// - Returns: The word, or an empty string.
    public func word(_ parameter: String) -> String { parameters[parameter] ?? "" }

    /// An object's reference in addresses and forms: `Task-p12`, the end of its URI representation.
    ///
    /// - Parameter object: A saved object.
    /// - Returns: The reference.
    public func reference(_ object: NSManagedObject) -> String {
        ObjectReference(object.objectID.uriRepresentation()).text
    }

    /// The address of a screen of this application.
    ///
    /// - Parameters:
    ///   - components: Words and objects, in order; none for the first screen.
    ///   - query: The query, in this order.
    /// - Returns: An address for links and outcomes.
    public func link(_ components: [LinkComponent], query: KeyValuePairs<String, String> = [:]) -> String {
        let words = components.map { component in
            switch component {
            case .word(let word): word
            case .object(let object): reference(object)
            }
        }
        return Address(path: [applicationName] + words, query: query.map { ($0.key, $0.value) }).text
    }

    /// The address of this screen.
    ///
    /// - Parameter query: The query, in this order; empty values are left out.
    /// - Returns: An address for links.
    public func here(query: KeyValuePairs<String, String> = [:]) -> String {
        let pairs = query.map { ($0.key, $0.value) }.filter { !$0.1.isEmpty }
        return Address(path: [applicationName] + Address.components(screenPath), query: pairs).text
    }

    private func object<T: NSManagedObject>(_ type: T.Type, reference: String) throws -> T {
        guard let reference = ObjectReference(reference),
            let coordinator = context.persistentStoreCoordinator,
            coordinator.managedObjectModel.entitiesByName[reference.entityName] != nil,
            let uri = reference.uri(storeUUID: storeUUID),
            let objectID = coordinator.managedObjectID(forURIRepresentation: uri),
            let existing = try? context.existingObject(with: objectID),
            let object = existing as? T, !object.isDeleted
        else { throw ScreenError.notFound }
        return object
    }
}
