// The list of what is compared, in the order of the table.

var allSubjects: [any Subject.Type] {
    [CAPISubject.self, GRDBRowSubject.self, GRDBCodableSubject.self, ManagedGraphSubject.self]
}
