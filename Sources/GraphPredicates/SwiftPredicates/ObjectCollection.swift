import Foundation

/// A type of to-many relationships.
protocol ObjectCollection {
    static var holdsObjects: Bool { get }
}
