// The measured operations with ManagedGraph and generated classes.
import Foundation
import ManagedGraph
import ManagedGraphPostgreSQL

final class ManagedSubject: Subject {
    private let container: NSPersistentContainer

    init(_ address: String) throws {
        container = NSPersistentContainer(name: "Staff")
        guard let url = URL(string: address + "&pool=32") else { throw BenchmarkError("\(address) is not an address.") }
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
    }

    /// Fills the tables of entries, departments and employees.
    func fill(_ rows: Int) throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            _ = try context.execute(Self.request(rows))
            for number in 0..<rows / 200 {
                let department = Department(context: context)
                department.number = Int64(number)
                department.title = "department \(number)"
                for place in 0..<100 {
                    let employee = Employee(context: context)
                    employee.number = Int64(number * 100 + place)
                    employee.name = "employee \(number * 100 + place)"
                    employee.salary = Double(place) * 10.5
                    employee.department = department
                }
            }
            try context.save()
        }
    }

    private static func request(_ rows: Int) -> NSBatchInsertRequest {
        let (rows, next) = (InputRow.make(count: rows), Counter())
        return NSBatchInsertRequest(entity: Entry.entity()) { (object: NSManagedObject) in
            guard next.value < rows.count, let entry = object as? Entry else { return true }
            set(entry, rows[next.value])
            next.value += 1
            return false
        }
    }

    private final class Counter {
        var value = 0
    }

    private static func set(_ entry: Entry, _ row: InputRow) {
        entry.text = row.text
        entry.priority = row.priority
        entry.date = row.date
        entry.isDone = row.isDone
        entry.amount = row.amount
        entry.number = row.number
    }

    private static func add(_ entry: Entry, to sum: inout UInt64) {
        sum.add(
            entry.number,
            entry.priority,
            entry.isDone,
            entry.amount,
            entry.date?.timeIntervalSinceReferenceDate ?? 0,
            entry.text?.utf8.count ?? 0
        )
    }

    func prepare(_ work: BenchmarkCase, _ rows: Int) throws -> () throws -> UInt64 {
        let context = container.newBackgroundContext()
        switch work {
        case .fetchRead:
            return {
                try context.performAndWait {
                    var sum: UInt64 = 0
                    for entry in try context.fetch(Entry.fetchRequest()) { Self.add(entry, to: &sum) }
                    return sum
                }
            }
        case .batchInsert:
            let request = Self.request(rows)
            return {
                try context.performAndWait {
                    let result = try context.execute(request) as? NSBatchInsertResult
                    return result?.result as? Bool == true ? UInt64(rows) : 0
                }
            }
        case .importing:
            let rows = InputRow.make(count: rows)
            return {
                try context.performAndWait {
                    for start in stride(from: 0, to: rows.count, by: 1_000) {
                        for row in rows[start..<min(start + 1_000, rows.count)] {
                            Self.set(Entry(context: context), row)
                        }
                        try context.save()
                        context.reset()
                    }
                    return UInt64(rows.count)
                }
            }
        case .update:
            let entries = try context.performAndWait {
                let request = Entry.fetchRequest()
                request.fetchLimit = rows
                let entries = try context.fetch(request)
                for entry in entries { _ = entry.number }
                return entries
            }
            return {
                try context.performAndWait {
                    for entry in entries {
                        entry.amount += 1
                        entry.isDone.toggle()
                    }
                    try context.save()
                    return UInt64(entries.count)
                }
            }
        case .byKey(let threads):
            let identifiers = try context.performAndWait {
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Entry")
                request.resultType = .managedObjectIDResultType
                request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: true)]
                request.fetchLimit = rows
                return try context.fetch(request)
            }
            let container = container
            return {
                try onThreads(threads) { thread in
                    let context = container.newBackgroundContext()
                    var sum: UInt64 = 0
                    for place in stride(from: thread, to: identifiers.count, by: threads) {
                        try context.performAndWait {
                            guard let entry = try context.existingObject(with: identifiers[place]) as? Entry else {
                                return
                            }
                            Self.add(entry, to: &sum)
                        }
                    }
                    return sum
                }
            }
        case .departments:
            return {
                try context.performAndWait {
                    let request = Department.fetchRequest()
                    request.relationshipKeyPathsForPrefetching = ["employees"]
                    var sum: UInt64 = 0
                    for department in try context.fetch(request) {
                        guard let employees = department.employees else { continue }
                        for case let employee as Employee in employees {
                            sum &+= UInt64(employee.number) &+ UInt64(employee.salary)
                        }
                    }
                    return sum
                }
            }
        }
    }
}
