// The priorities of a task.
import CoreData
import Foundation

/// A task's priority with its title.
enum Priority: Int16, CaseIterable {
    case none = 0
    case low = 1
    case medium = 2
    case high = 3

    var title: String {
        switch self {
        case .none: "None"
        case .low: "Low"
        case .medium: "Medium"
        case .high: "High"
        }
    }
}
