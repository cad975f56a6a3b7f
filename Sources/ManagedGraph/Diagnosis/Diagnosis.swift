import Logging

/// The log for problems that cannot be reported as an error.
enum Diagnosis {
    static let log = Logger(label: "ManagedGraph")
}
