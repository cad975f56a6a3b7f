// The rows of the table of employees, generated from a position.

/// The values of an employee; a hundred work in each department.
struct EmployeeRow {
    var name: String
    var number: Int64
    var salary: Double
    var department: Int

    static let perDepartment = 100

    init(_ index: Int) {
        name = "employee " + String(10_000_000 + index).suffix(7)
        number = Int64(index)
        salary = Double(index % 977) * 10.5
        department = index / Self.perDepartment
    }
}
