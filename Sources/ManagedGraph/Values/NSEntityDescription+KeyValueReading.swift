// Entities and identifiers as values of predicates and key paths: `entity.name == "Customer"`, `objectID.entity.name`.
import Foundation
import GraphPredicates

extension NSEntityDescription: KeyValueReadable {
    /// A property of the entity's description, as key-value coding reads it on Apple's systems.
    ///
    /// - Parameter key: `name`, `managedObjectClassName`, `superentity`, `isAbstract` and the like.
    /// - Returns: The value; nil for an unknown key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "name": name
        case "managedObjectClassName": managedObjectClassName
        case "isAbstract", "abstract": NSNumber(value: isAbstract)
        case "superentity": superentity
        case "subentities": subentities
        case "subentitiesByName": subentitiesByName
        case "renamingIdentifier": renamingIdentifier
        case "versionHash": versionHash
        case "versionHashModifier": versionHashModifier
        case "userInfo": userInfo
        case "managedObjectModel": owner
        case "properties": properties
        case "propertiesByName": propertiesByName
        case "attributesByName": attributesByName
        case "relationshipsByName": relationshipsByName
        default: nil
        }
    }
}

extension NSEntityDescription: IdentityComparable {
    private struct Identity: Hashable {
        let name: String?
    }

    /// Entities of one name are the same to predicates, as they are in a store: a request may name the entity of a copy
    /// of the model.
    package var comparableIdentity: AnyHashable { Identity(name: name) }
}

extension NSManagedObjectID: KeyValueReadable {
    /// A property of the identifier, as key-value coding reads it on Apple's systems.
    ///
    /// - Parameter key: `entity`, `isTemporaryID`, `persistentStore` or `URIRepresentation`.
    /// - Returns: The value; nil for an unknown key.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "self", "SELF": self
        case "entity": entity
        case "isTemporaryID", "temporaryID": NSNumber(value: isTemporaryID)
        case "persistentStore": persistentStore
        case "URIRepresentation", "uriRepresentation": uriRepresentation()
        default: nil
        }
    }
}
