/// An employee of the hand-written subject.
final class PlainEmployee {
    let key: Int64
    let name: String
    let number: Int64
    let salary: Double

    /// Reads the columns `_id, name, number, salary` of a row.
    init(_ row: PlainResult.Row) {
        key = row.integer(0)
        name = row.text(1)
        number = row.integer(2)
        salary = row.real(3)
    }
}
