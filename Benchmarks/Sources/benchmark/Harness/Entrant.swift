// One subject's part of a benchmark case: its preparation and its measured work.

/// One subject's implementation of a case.
struct Entrant {
    var subject: String
    /// Creates and opens files, and reads the initial state.
    ///
    /// It is not timed, and its work runs once.
    var prepare: (Setting) throws -> Work

    init(_ subject: String, _ prepare: @escaping (Setting) throws -> Work) {
        self.subject = subject
        self.prepare = prepare
    }
}

extension [Entrant] {
    /// The C API, GRDB's handwritten records, and ManagedGraph.
    static func subjects(
        c: @escaping (Setting) throws -> Work,
        grdb: @escaping (Setting) throws -> Work,
        managed: @escaping (Setting) throws -> Work
    ) -> [Entrant] {
        [
            Entrant(SubjectName.cAPI, c), Entrant(SubjectName.grdbRow, grdb),
            Entrant(SubjectName.managedGraph, managed),
        ]
    }
}
