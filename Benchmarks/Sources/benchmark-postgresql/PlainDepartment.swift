/// A department of the hand-written subject.
final class PlainDepartment {
    let key: Int64
    let number: Int64
    let title: String
    var employees: [PlainEmployee] = []

    /// Reads the columns `_id, number, title` of a row.
    init(_ row: PlainResult.Row) {
        key = row.integer(0)
        number = row.integer(1)
        title = row.text(2)
    }
}
