// Random transactions on registers with lists, and a record of the values that they have read and appended. Elements are
// never appended twice, so that the order of all writes can be inferred from the lists that were read (the method of Elle:
// Kingsbury and Alvaro, 2020).
//
// A line is "t STATE @BEGAN-ENDED OPERATION…": the state is ok, or fail if nothing was written; the times are nanoseconds of
// a clock that all processes of the machine share; the operations are rKEY=ELEMENTS for a read, aKEY=ELEMENT for an append,
// and xKEY=TEXT for a register whose parts did not fit together.
import Foundation
import GraphSupport
import ManagedGraph
import TestSupport

/// Executes random transactions, one after the other; RecorderTeam runs several concurrently.
package final class Recorder {
    /// The time for which all recorders use the same registers, in seconds.
    private static let window = 0.1
    /// The number of registers in use at a time.
    private static let width = 5

    /// The number of registers for that many transactions of each recorder: few enough for conflicts, and so many that
    /// their lists stay short.
    package static func registers(for transactions: Int) -> Int { (transactions / 100 + 1) * width }

    private let store: SharedStore
    private let mode: RecordedMode
    /// The contexts of the coordinator, one of which executes each transaction.
    private let roots: [NSManagedObjectContext]
    private let registers: Int
    /// Distinguishes the elements of this recorder.
    private let number: Int
    private var random: SeededNumbers
    private var appended = 0
    /// The registers that stay in memory from one transaction to the next.
    private var held: Set<NSManagedObject> = []
    /// The operations of the current transaction.
    private var operations: [String] = []

    /// - Parameters:
    ///   - store: The store.
    ///   - seed: Determines the transactions; its remainder by 64 must be that of no other recorder.
    ///   - registers: The number of registers in the store.
    ///   - mode: The way to use contexts.
    package init(_ store: SharedStore, seed: UInt64, registers: Int, mode: RecordedMode) {
        self.store = store
        self.mode = mode
        self.registers = registers
        roots = (0..<(mode == .merging ? 2 : 1)).map { _ in Self.makeRoot(store, mode) }
        number = Int(seed % 64)
        random = SeededNumbers(run: seed, of: 7)
    }

    private static func makeRoot(_ store: SharedStore, _ mode: RecordedMode) -> NSManagedObjectContext {
        let root = store.coordinator.makeContext()
        root.undoManager = nil
        root.mergePolicy = NSMergePolicy(
            merge: mode == .overwriting ? .overwriteMergePolicyType : .errorMergePolicyType
        )
        root.automaticallyMergesChangesFromParent = mode == .merging
        return root
    }

    /// Executes transactions and reports a line for each.
    ///
    /// - Throws: Every error but a conflict.
    package func run(_ count: Int, _ report: (String) -> Void) throws {
        for _ in 0..<count {
            let start = Int(Date().timeIntervalSince1970 / Self.window) * Self.width % registers
            let keys = (0..<Self.width).map { (start + $0) % registers }
            operations = []
            var state = "ok"
            let began = Self.now
            do {
                try transaction(keys)
            } catch let error as NSError where error.code == NSManagedObjectMergeError {
                state = "fail"
            }
            report("t \(state) @\(began)-\(Self.now) \(operations.joined(separator: " "))")
        }
    }

    /// Nanoseconds since the start of the machine, for all of its processes.
    private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// The operations of a transaction: keys to read, and keys to append to.
    private func plan(_ keys: [Int]) -> [(key: Int, element: Int?)] {
        let appends = random.chance(60)
        return (0..<2 + random.below(3)).map { _ in
            let key = random.pick(keys)
            guard appends, random.chance(50) else { return (key, nil) }
            appended += 1
            return (key, appended * 64 + number)
        }
    }

    private func transaction(_ keys: [Int]) throws {
        let plan = plan(keys)
        let root = random.pick(roots)
        switch mode {
        case .turns:
            try root.performAndWait { () throws in
                root.reset()
                try perform(plan[...], in: root)
                try root.save()
            }
        case .tasks:
            let context = Self.makeRoot(store, mode)
            let ended = DispatchSemaphore(value: 0)
            var result = Result<Void, any Error>.success(())
            context.perform {
                result = Result { () throws in
                    try self.perform(plan[...], in: context)
                    try context.save()
                }
                ended.signal()
            }
            ended.wait()
            try result.get()
        case .children:
            let child = root.makeChild()
            // A parent checks the version that it has read, and keeps no objects that have no changes.
            let registers = try root.performAndWait { () throws in
                root.reset()
                return try root.all("Register", "key IN %@", [plan.map(\.key)])
            }
            defer { withExtendedLifetime(registers) {} }
            try child.performAndWait { () throws in
                try perform(plan[...], in: child)
                try child.save()
            }
            try root.performAndWait { () throws in try root.save() }
        case .generations:
            try root.performAndWait { () throws in
                root.reset()
                try root.setQueryGenerationFrom(.current)
            }
            for place in plan.indices {
                try root.performAndWait { () throws in try perform(plan[place...place], in: root) }
            }
            try root.performAndWait { () throws in try root.save() }
        case .merging:
            try root.performAndWait { () throws in
                do {
                    try perform(plan[...], in: root)
                    try root.save()
                } catch {
                    root.rollback()
                    root.refreshAllObjects()
                    throw error
                }
            }
        case .split:
            root.performAndWait { root.reset() }
            for place in plan.indices {
                try root.performAndWait { () throws in
                    try perform(plan[place...place], in: root)
                    for object in root.registeredObjects where !object.hasChanges {
                        root.refresh(object, mergeChanges: false)
                    }
                }
            }
            try root.performAndWait { () throws in try root.save() }
        case .overwriting:
            try root.performAndWait { () throws in
                root.reset()
                try perform(plan[...], in: root)
            }
            // Time for others between the reads and the save.
            try root.performAndWait { () throws in try root.save() }
        }
    }

    /// Executes a part of a transaction's plan in the context's queue.
    private func perform(
        _ part: ArraySlice<(key: Int, element: Int?)>,
        in context: NSManagedObjectContext
    ) throws {
        for (key, element) in part { try perform(key, element, context) }
    }

    private func perform(_ key: Int, _ element: Int?, _ context: NSManagedObjectContext) throws {
        guard let register = try context.all("Register", "key == %d", [key]).first else {
            throw CocoaError(.coderValueNotFound)
        }
        if mode == .merging { held.insert(register) }
        var text = register.value(forKey: "list") as? String ?? ""
        var count = register.number("count")
        var members = (register.value(forKey: "members") as? Set<NSManagedObject> ?? []).map { $0.number("value") }
        // Without own changes, each read asks the store, that of a child through its parent; only merged objects are read
        // as they are in memory.
        if mode != .merging, !register.hasChanges {
            let row = try Self.rows("Register", "key == %d", key, ["list", "count"], context).first
            text = row?["list"] as? String ?? ""
            count = row?["count"] as? Int ?? -1
            members = try Self.rows("Member", "register.key == %d", key, ["value"], context)
                .compactMap { $0["value"] as? Int }
        }
        let elements = text.split(separator: ".").compactMap { Int($0) }
        operations.append("r\(key)=\(text)")
        // Outside of a snapshot a row and its related rows are of different times.
        let isTorn = count != elements.count || (mode.hasSnapshot && members.sorted() != elements.sorted())
        if mode != .children, isTorn {
            operations.append("x\(key)=\(count),\(elements.count),\(members.count)")
        }
        guard let element else { return }
        operations.append("a\(key)=\(element)")
        register.setValue(text.isEmpty ? "\(element)" : "\(text).\(element)", forKey: "list")
        register.setValue(elements.count + 1, forKey: "count")
        context.make("Member", ["value": element, "register": register])
    }

    private static func rows(
        _ entity: String,
        _ format: String,
        _ key: Int,
        _ properties: [String],
        _ context: NSManagedObjectContext
    ) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: [key])
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        return try context.fetch(request)
    }
}
