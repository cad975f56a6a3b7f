import Foundation

/// The values of an entry, whichever subject holds them.
protocol EntryValues {
    var text: String { get }
    var priority: Int16 { get }
    var date: Date { get }
    var isDone: Bool { get }
    var amount: Double { get set }
    var number: Int64 { get }
}
