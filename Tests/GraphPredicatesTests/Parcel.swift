// A class of SwiftPredicateConversionTests that names its key paths itself.
import Foundation
import GraphPredicates

/// An object that names its key paths.
final class Parcel: NSObject, KeyValueReadable, KeyPathNaming {
    let label: String
    let weight: Double
    let sender: String?

    init(_ label: String, weight: Double, sender: String? = nil) {
        self.label = label
        self.weight = weight
        self.sender = sender
    }

    func value(forKey key: String) -> Any? {
        switch key {
        case "label": label
        case "weight": weight
        case "sender": sender
        default: nil
        }
    }

    static func managedKey(for keyPath: AnyKeyPath) -> String? {
        switch keyPath {
        case \Parcel.label: "label"
        case \Parcel.weight: "weight"
        case \Parcel.sender: "sender"
        default: nil
        }
    }
}
