// The values of properties as text for readers. Used by the sections Live and History.
import CoreData
import Foundation

enum ValueText {
    /// The maximum length of a text, in characters.
    static let limit = 400

    static func text(_ value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let text as String: text.count > limit ? text.prefix(limit) + "…" : text
        case let date as Date: date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true))
        case let data as Data: "\(data.count) bytes"
        case let objectID as NSManagedObjectID: objectID.reference
        case let url as URL: url.absoluteString
        case let uuid as UUID: uuid.uuidString
        case let value?: String("\(value)".prefix(limit))
        }
    }
}
