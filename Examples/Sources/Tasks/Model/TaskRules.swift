// The error domain of a task's rules, and a function that creates their errors.
import CoreData
import Foundation

/// The error domain of the rules, and a function that creates their errors.
enum TaskRules {
    static let domain = "com.Wrox.Tasks"

    static func error(_ code: Int, _ message: String) -> NSError {
        NSError(domain: domain, code: code, userInfo: ["ErrorString": message, NSLocalizedDescriptionKey: message])
    }
}
