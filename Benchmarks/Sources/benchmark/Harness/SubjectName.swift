// The names of the subjects that the benchmark compares.

/// The names of the subjects.
///
/// A case may have others for variants of ManagedGraph.
enum SubjectName {
    static let cAPI = "c-api"
    static let grdbRow = "grdb-row"
    static let grdbCodable = "grdb-codable"
    static let grdbPool = "grdb-pool"
    static let managedGraph = "managedgraph"
}
