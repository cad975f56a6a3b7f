// The projects and bugs of a first start, one bug with a screenshot.
import CoreData
import Foundation

extension Project {
    /// Inserts projects of three hosts with their bugs.
    ///
    /// - Parameter context: A context, on its queue; the caller saves.
    /// - Throws: Nothing at present.
    static func insertSamples(in context: NSManagedObjectContext) throws {
        typealias Report = (title: String, details: String, isClosed: Bool)
        let steps = "1. Add four tasks.\n2. Restart the program.\n3. Open the list: the third row is missing.\n\n"
        let projects: [(String, String, [Report])] = [
            (
                "Trail Maps", "https://maps.example.com/trails",
                [
                    (
                        "A row is missing after a restart", steps + "Scrolling brings it back. See the screenshot.",
                        false
                    ),
                    ("Contour lines end at the edge of a tile", "Seen at 47.4° north, zoom 14.", false),
                    ("Crash when the battery is low", "Fixed with the new sensor library.", true),
                ]
            ),
            ("Night Sky", "https://maps.example.com/sky", [("Jupiter has 80 moons, the list ends at 79", "", false)]),
            (
                "Recipe Box", "https://kitchen.example.org/recipes",
                [
                    ("“½ l” is read as 12 litres", "Import of the old recipes, page 3.", false),
                    ("Typo in the about box", "“Reciepts”", true),
                ]
            ),
            ("Ledger", "https://books.example.net/ledger/", [("Totals round to whole numbers", "", false)]),
        ]
        for (name, url, reports) in projects {
            let project = Project(context: context)
            project.set(name: name, url: url)
            for report in reports {
                let bug = Bug(context: context)
                bug.title = report.title
                bug.details = report.details
                bug.isClosed = report.isClosed
                bug.project = project
                if report.title.hasPrefix("A row") { bug.screenshot = SampleScreenshot.png() }
            }
        }
    }
}
