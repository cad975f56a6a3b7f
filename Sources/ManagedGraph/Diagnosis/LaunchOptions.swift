// Switches given when the program was started: `-com.apple.CoreData.SQLDebug 1` among the arguments, as Xcode's schemes
// have it, or the same name in the environment, with dots or with underscores. The argument wins.
import Foundation

/// What the program was started with.
package enum LaunchOptions {
    /// The level of a switch; 0 where it was not given.
    package static func level(
        _ name: String,
        arguments: [String] = CommandLine.arguments,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Int {
        text(name, arguments: arguments, environment: environment).map(number) ?? 0
    }

    /// The value of a switch as it was given; nil where it was not.
    package static func text(
        _ name: String,
        arguments: [String] = CommandLine.arguments,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let key = "com.apple.CoreData." + name
        if let place = arguments.firstIndex(of: "-" + key), place + 1 < arguments.count { return arguments[place + 1] }
        return environment[key] ?? environment[key.replacing(".", with: "_")]
    }

    /// The level that a value stands for.
    static func number(_ text: String) -> Int {
        if let number = Int(text) { return max(0, number) }
        return ["yes", "true", "on"].contains(text.lowercased()) ? 1 : 0
    }
}
