// controller-fetch: all people, sorted, in sections. The yardstick reads sorted objects and groups them by hand.
import GRDB
import ManagedGraph

enum ControllerFetch {
    static var cases: [BenchmarkCase] {
        [
            BenchmarkCase(
                name: "controller-fetch",
                goals: [.ratio(1.8)],
                sizes: [100_000],
                entrants: .subjects(c: c, grdb: grdb, managed: managed)
            )
        ]
    }

    private static let order = " ORDER BY \"group\", number"

    private struct Section<Element> {
        var name: String
        var objects: [Element]
    }

    private static func divided<Element>(_ objects: [Element], _ name: (Element) -> String) -> [Section<Element>] {
        var sections: [Section<Element>] = []
        for object in objects {
            if sections.last?.name != name(object) { sections.append(Section(name: name(object), objects: [])) }
            sections[sections.count - 1].objects.append(object)
        }
        return sections
    }

    private static func checksum(_ sections: [(name: String, numbers: [Int64])]) -> Checksum {
        var checksum = Checksum()
        for (index, section) in sections.enumerated() {
            checksum.add(section.name, Int64(index))
            for (position, number) in section.numbers.enumerated() { checksum.add(number, at: index + position) }
        }
        return checksum
    }

    private static func c(_ setting: Setting) throws -> Work {
        let database = try setting.c(setting.plain(.people), .people)
        return {
            let statement = try database.prepare(CPerson.select + order)
            var people: [CPerson] = []
            while try statement.step() { people.append(CPerson(statement)) }
            let sections = divided(people, \.group)
            return Outcome { checksum(sections.map { ($0.name, $0.objects.map(\.number)) }) }
        }
    }

    private static func grdb(_ setting: Setting) throws -> Work {
        let queue = try setting.grdb(setting.plain(.people), .people)
        return {
            let people = try queue.read { try PersonRecord.order(Column("group"), Column("number")).fetchAll($0) }
            let sections = divided(people, \.group)
            return Outcome { checksum(sections.map { ($0.name, $0.objects.map(\.number)) }) }
        }
    }

    private static func managed(_ setting: Setting) throws -> Work {
        let store = try setting.store(setting.managed(.people))
        return {
            let context = store.context()
            let controller = controller(context)
            let sections = try context.performAndWait {
                try controller.performFetch()
                return controller.sections ?? []
            }
            return Outcome {
                context.performAndWait {
                    checksum(
                        sections.map { section in
                            let people = section.objects as? [Person] ?? []
                            return (section.name, people.map(\.number))
                        }
                    )
                }
            }
        }
    }

    /// The controller for all cases.
    static func controller(_ context: NSManagedObjectContext) -> NSFetchedResultsController<Person> {
        let request: NSFetchRequest<Person> = Person.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(key: "group", ascending: true), NSSortDescriptor(key: "number", ascending: true),
        ]
        return NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: "group",
            cacheName: nil
        )
    }
}
