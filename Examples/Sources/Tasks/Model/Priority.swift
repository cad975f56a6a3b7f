// The priorities of a task.
import CoreData
import Foundation
import TableScreens

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

    /// The mark before a task's text: one, two or three exclamation marks, or the empty place of none.
    var mark: RowDecoration {
        let signs = String(repeating: "!", count: Int(rawValue))
        return .mark(signs, label: self == .none ? "" : "\(title) priority", isStrong: self == .high)
    }
}
