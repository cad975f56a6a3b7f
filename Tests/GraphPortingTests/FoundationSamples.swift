// Samples of names that Apple's Foundation exports or has alone.

extension Sample {
    static let foundation: [Sample] = [
        Sample(
            rule: "import",
            before: """
                import CoreData

                @Observable final class Library {
                    var count = 0
                    @ObservationIgnored var context: NSManagedObjectContext?
                }
                """,
            after: """
                import CoreData
                import Observation

                @Observable final class Library {
                    var count = 0
                    @ObservationIgnored var context: NSManagedObjectContext?
                }
                """
        ),
        Sample(
            rule: "runtime",
            before: """
                import CoreData

                class Importing: Operation, @unchecked Sendable {
                    override var isAsynchronous: Bool { true }
                    override var isConcurrent: Bool { true }
                }
                """,
            after: """
                import CoreData

                class Importing: Operation, @unchecked Sendable {
                    override var isAsynchronous: Bool { true }
                    #if canImport(ObjectiveC)
                    override var isConcurrent: Bool { true }
                    #endif
                }
                """
        ),
    ]
}
