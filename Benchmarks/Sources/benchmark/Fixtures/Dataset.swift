// The contents of the files that cases read and change. Fixtures creates each twice: with the tables that the C API and
// GRDB share, and through ManagedGraph.

/// The tables of a file and their rows.
enum Dataset: String {
    /// Six columns without an index.
    case entries
    /// An indexed key.
    case items
    case people
    /// People with names of 9,600 bytes: 20,000 of them make a file of 192 MB.
    case longTexts
    /// Departments of a hundred employees each; the number of rows is the number of employees.
    case employees
    /// Articles and tags without pairs: as many of each as a hundredth of the rows, at least one.
    case articles

    /// The statements that create the tables.
    var schema: String {
        switch self {
        case .entries:
            """
            CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, text VARCHAR, priority INTEGER, date TIMESTAMP, \
            isDone INTEGER, amount FLOAT, number INTEGER)
            """
        case .items:
            """
            CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, key INTEGER, text VARCHAR, amount FLOAT);
            CREATE INDEX IF NOT EXISTS itemByKey ON item (key)
            """
        case .people, .longTexts:
            """
            CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY, name VARCHAR, "group" VARCHAR, number INTEGER)
            """
        case .employees:
            """
            CREATE TABLE IF NOT EXISTS department (id INTEGER PRIMARY KEY, title VARCHAR, number INTEGER);
            CREATE TABLE IF NOT EXISTS employee (id INTEGER PRIMARY KEY, name VARCHAR, number INTEGER, salary FLOAT, \
            departmentId INTEGER REFERENCES department ON DELETE CASCADE);
            CREATE INDEX IF NOT EXISTS employeeByDepartment ON employee (departmentId)
            """
        case .articles:
            """
            CREATE TABLE IF NOT EXISTS article (id INTEGER PRIMARY KEY, number INTEGER);
            CREATE TABLE IF NOT EXISTS tag (id INTEGER PRIMARY KEY, number INTEGER);
            CREATE TABLE IF NOT EXISTS articleTag (articleId INTEGER, tagId INTEGER, PRIMARY KEY (articleId, tagId));
            CREATE INDEX IF NOT EXISTS tagArticle ON articleTag (tagId, articleId)
            """
        }
    }
}
