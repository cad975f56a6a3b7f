// The protocol of the types of to-many relationships.
import Foundation

/// A type of to-many relationships.
protocol ObjectCollection {
    static var holdsObjects: Bool { get }
}
