// Migrations that add and rename properties with the names of PostgreSQL's system columns.
import ExpectationSupport
import Foundation
import ManagedGraph
import Testing

@Suite("Migrations of properties with names of system columns", .inDatabasesToo)
struct SystemColumnMigrationTests {
    private static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
        "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
    }

    @Test("Such attributes are added, renamed and removed, and take the column of one that moves")
    func attributes() throws {
        let versions = try Versions(
            LightweightTests.entity(
                "Box",
                Self.attribute("left", "Integer 64") + Self.attribute("ctid", "String")
                    // The column that xmin has in the second version.
                    + Self.attribute("xmin_", "String") + Self.attribute("cmax", "String")
            ),
            LightweightTests.entity(
                "Box",
                Self.attribute("xmin", "Integer 64", "elementID=\"left\"")
                    + Self.attribute("xmax", "Integer 64", "defaultValueString=\"9\"")
                    + Self.attribute("tableoid", "String", "elementID=\"ctid\"") + Self.attribute("xmin_", "String")
            )
        )
        try versions.fill { context in
            for number in 0..<3 {
                context.add("Box", ["left": number, "ctid": "c\(number)", "xmin_": "x\(number)", "cmax": "gone"])
            }
        }
        try versions.use(2) { context in
            try expectEqual(context.values("xmin", "Box"), [0, 1, 2])
            try expectEqual(context.values("xmax", "Box"), [9, 9, 9])
            try expectEqual(context.values("tableoid", "Box"), ["c0", "c1", "c2"])
            try expectEqual(context.values("xmin_", "Box"), ["x0", "x1", "x2"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
            request.predicate = NSPredicate(format: "xmin < xmax AND tableoid != 'c1'")
            request.sortDescriptors = [NSSortDescriptor(key: "xmin", ascending: false)]
            try expectEqual(context.fetch(request).map { $0.value(forKey: "xmin_") as? String }, ["x2", "x0"])
            context.add("Box", ["xmin": 7, "tableoid": "new"])
            try context.save()
            try expectEqual(context.values("xmin", "Box"), [0, 1, 2, 7])
        }
        try versions.expectTablesOfNewStore()
    }
}
