// A fingerprint of an object's values, which shows whether they have changed since the object was inserted. Not for
// security.
import CoreData
import Foundation

enum ObjectStamp {
    /// Returns a few letters and digits for the values of all stored attributes and to-one relationships.
    static func text(_ object: NSManagedObject) -> String {
        let entity = object.entity
        var words: [String] = []
        for (name, attribute) in entity.attributesByName where !attribute.isTransient {
            let value = object.value(forKey: name)
            let text =
                switch value {
                case nil: ""
                case let data as Data: PictureStamp.text(data)
                // The store keeps dates as seconds, which the description rounds.
                case let date as Date: "\(date.timeIntervalSinceReferenceDate)"
                case let value?: "\(value)"
                }
            words.append("\(name)=\(text)")
        }
        for (name, relationship) in entity.relationshipsByName where !relationship.isToMany {
            let destination = object.value(forKey: name) as? NSManagedObject
            words.append("\(name)=\(destination?.objectID.uriRepresentation().absoluteString ?? "")")
        }
        return PictureStamp.text(Data(words.sorted().joined(separator: "\u{1}").utf8))
    }
}
