// Finds anomalies in recorded transactions on lists, in the manner of Elle: elements are never appended twice, so the
// longest list that was read of a register is the order of its writes. From it follow the transactions that were before
// others; a cycle is an anomaly. Write skew (two reads that miss each other's writes) is allowed, as by snapshots. If the
// times of transactions are recorded, a transaction must also see all that was seen before it began.
import Foundation

/// Checks recorded transactions.
struct IsolationChecker {
    /// The anomalies that the documentation excludes.
    enum Anomaly: String, CaseIterable {
        /// An element whose append succeeded is not there, or lists contradict each other.
        case lostUpdate
        /// An element that was never saved was read, or one that its own transaction had replaced.
        case dirtyRead
        /// A register changed within a transaction.
        case nonRepeatableRead
        /// A transaction has read one write of another and missed another one; or a cycle of writes and reads.
        case readSkew, cycle
        /// A transaction misses a write that was acknowledged or read before it began; or a write was read before its
        /// transaction began, which is a fault of the recording.
        case staleRead
        /// The parts of one register are of different times.
        case torn
    }

    private struct Transaction {
        var reads: [Int: [Int]] = [:]
        var appends: [Int: [Int]] = [:]
        /// Its times; without recorded ones it may have been at any time.
        var began = Int.min
        var ended = Int.max
    }

    private var transactions: [Transaction] = []
    /// The transaction that appended each element, and elements of failed transactions.
    private var writers: [Int: Int] = [:]
    private var failed: Set<Int> = []
    private(set) var anomalies: [Anomaly: [String]] = [:]
    private(set) var operations = 0
    private(set) var failures = 0
    /// The transactions that began while another one was under way.
    private(set) var overlaps = 0

    private mutating func note(_ anomaly: Anomaly, _ text: @autoclosure () -> String) {
        anomalies[anomaly, default: []].append((anomalies[anomaly]?.count ?? 0) < 5 ? text() : "")
    }

    /// Adds a line of a recorder.
    mutating func add(_ line: Substring) {
        let words = line.split(separator: " ")
        guard words.count > 1, words[0] == "t" else { return }
        let isOK = words[1] == "ok"
        var transaction = Transaction()
        // The list of each register as the transaction itself must see it.
        var views: [Int: [Int]] = [:]
        for word in words.dropFirst(2) {
            if word.first == "@" {
                let times = word.dropFirst().split(separator: "-").compactMap { Int($0) }
                if times.count == 2 { (transaction.began, transaction.ended) = (times[0], times[1]) }
                continue
            }
            let parts = word.dropFirst().split(separator: "=", omittingEmptySubsequences: false)
            guard parts.count == 2, let key = Int(parts[0]) else { continue }
            operations += 1
            switch word.first {
            case "r":
                let list = parts[1].split(separator: ".").compactMap { Int($0) }
                if let view = views[key] {
                    if view != list { note(.nonRepeatableRead, "\(key): \(view.suffix(3)), then \(list.suffix(3))") }
                } else {
                    transaction.reads[key] = list
                }
                views[key] = list
            case "a":
                guard let element = Int(parts[1]) else { continue }
                views[key]?.append(element)
                if isOK {
                    transaction.appends[key, default: []].append(element)
                    writers[element] = transactions.count
                } else {
                    failed.insert(element)
                }
            default: note(.torn, String(word))
            }
        }
        if !isOK {
            failures += 1
            transaction.appends = [:]
        }
        transactions.append(transaction)
    }

    /// Checks all transactions.
    mutating func check() {
        var orders: [Int: [Int]] = [:]
        for transaction in transactions {
            for (key, list) in transaction.reads where list.count > orders[key]?.count ?? -1 { orders[key] = list }
        }
        var isRead: Set<Int> = []
        for (key, order) in orders {
            if Set(order).count != order.count { note(.lostUpdate, "\(key) has an element twice") }
            for element in order {
                isRead.insert(element)
                if failed.contains(element) { note(.dirtyRead, "\(key) has \(element) of a failed save") }
                if writers[element] == nil, !failed.contains(element) { note(.dirtyRead, "\(key): unknown \(element)") }
            }
        }
        for (element, _) in writers where !isRead.contains(element) { note(.lostUpdate, "\(element) is gone") }
        edges(orders)
        overlaps = countOverlaps()
    }

    private func countOverlaps() -> Int {
        var (count, end) = (0, Int.min)
        for transaction in transactions.sorted(by: { $0.began < $1.began }) where transaction.began > .min {
            if transaction.began < end { count += 1 }
            end = max(end, transaction.ended)
        }
        return count
    }

    private mutating func edges(_ orders: [Int: [Int]]) {
        // Write-write and write-read: the first of a pair was before the second.
        var after: [[Int]] = Array(repeating: [], count: transactions.count)
        var antidependencies: [(reader: Int, writer: Int)] = []
        for order in orders.values {
            for (element, next) in zip(order, order.dropFirst()) {
                guard let one = writers[element], let other = writers[next], one != other else { continue }
                after[one].append(other)
            }
        }
        for (number, transaction) in transactions.enumerated() {
            for (key, list) in transaction.reads {
                guard let order = orders[key] else { continue }
                guard order.starts(with: list) else {
                    note(.lostUpdate, "\(key) was read as \(list.suffix(3)), and is \(order.suffix(3))")
                    continue
                }
                if let last = list.last, let writer = writers[last], writer != number {
                    after[writer].append(number)
                    if transactions[writer].appends[key]?.last != last {
                        note(.dirtyRead, "\(key): \(last) was replaced")
                    }
                }
                if list.count < order.count, let writer = writers[order[list.count]], writer != number {
                    antidependencies.append((number, writer))
                }
            }
        }
        let (places, cycle) = Self.order(after)
        if let cycle { note(.cycle, "\(cycle)") } else { checkTimes(after, places, antidependencies) }
        // A reader that is after the writer of a value that it has not seen.
        for (reader, writer) in antidependencies where places[writer] < places[reader] || cycle != nil {
            if Self.leads(from: writer, to: reader, after, places, hasCycle: cycle != nil) {
                note(.readSkew, "transaction \(reader) misses a write of \(writer), on which it depends")
            }
        }
    }

    /// Compares the order of the transactions with their times.
    private mutating func checkTimes(
        _ after: [[Int]],
        _ places: [Int],
        _ antidependencies: [(reader: Int, writer: Int)]
    ) {
        // The earliest time at which the writes of each transaction were known to be there: its end, or the end of one
        // that depends on it.
        var seen = transactions.map(\.ended)
        for number in places.indices.sorted(by: { places[$0] > places[$1] }) {
            for next in after[number] { seen[number] = min(seen[number], seen[next]) }
            if seen[number] < transactions[number].began {
                note(.staleRead, "transaction \(number) was seen before it began")
            }
        }
        for (reader, writer) in antidependencies where transactions[reader].began > seen[writer] {
            note(.staleRead, "transaction \(reader) misses a write of \(writer), which was seen before it began")
        }
    }

    /// A topological order, as the place of each transaction; and a transaction in a cycle, if there is one.
    private static func order(_ after: [[Int]]) -> (places: [Int], cycle: Int?) {
        var counts = Array(repeating: 0, count: after.count)
        for list in after { for next in list { counts[next] += 1 } }
        var ready = counts.indices.filter { counts[$0] == 0 }
        var places = Array(repeating: Int.max, count: after.count)
        var place = 0
        while let next = ready.popLast() {
            places[next] = place
            place += 1
            for other in after[next] {
                counts[other] -= 1
                if counts[other] == 0 { ready.append(other) }
            }
        }
        return (places, counts.firstIndex { $0 > 0 })
    }

    private static func leads(from start: Int, to end: Int, _ after: [[Int]], _ places: [Int], hasCycle: Bool) -> Bool {
        var seen: Set<Int> = [start]
        var rest = [start]
        while let next = rest.popLast() {
            if next == end { return true }
            // The search of a graph with cycles is bounded: one path is proof enough.
            if seen.count > 50_000 { return false }
            for other in after[next] where (hasCycle || places[other] <= places[end]) && seen.insert(other).inserted {
                rest.append(other)
            }
        }
        return false
    }
}
