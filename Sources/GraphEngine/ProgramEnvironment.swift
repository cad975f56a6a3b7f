// Variables of the environment, one at a time: Foundation makes a dictionary of all of them for each look-up, which takes
// a tenth of a millisecond of a program's start. Called by launch options and limits.
import Foundation

/// The environment of the program.
package enum ProgramEnvironment {
    /// The value of a variable; nil if it is not set.
    package static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
