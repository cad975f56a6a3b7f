// Launch switches: `-com.apple.CoreData.SQLDebug 1` among the arguments, as in Xcode's schemes, or the same name in the
// environment, with dots or with underscores. The argument takes precedence.
import Foundation
import GraphEngine

/// The switches that the program was started with.
package enum LaunchOptions {
    /// The level of a switch; 0 if it is absent.
    package static func level(
        _ name: String,
        arguments: [String] = CommandLine.arguments,
        environment: (String) -> String? = ProgramEnvironment.value
    ) -> Int {
        text(name, arguments: arguments, environment: environment).map(number) ?? 0
    }

    /// The text of a switch's value; nil if it is absent.
    package static func text(
        _ name: String,
        arguments: [String] = CommandLine.arguments,
        environment: (String) -> String? = ProgramEnvironment.value
    ) -> String? {
        let key = "com.apple.CoreData." + name
        if let place = arguments.firstIndex(of: "-" + key), place + 1 < arguments.count { return arguments[place + 1] }
        return environment(key) ?? environment(String(key.map { $0 == "." ? "_" : $0 }))
    }

    /// Parses the level in a switch's value.
    static func number(_ value: String) -> Int {
        if let number = Int(value) { return max(0, number) }
        return ["yes", "true", "on"].contains(value.lowercased()) ? 1 : 0
    }
}
