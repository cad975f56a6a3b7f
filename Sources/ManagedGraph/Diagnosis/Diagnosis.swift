// Where the framework reports what no error can carry.
import Logging

/// Where the framework reports what no error can carry.
enum Diagnosis {
    static let log = Logger(label: "ManagedGraph")
}
