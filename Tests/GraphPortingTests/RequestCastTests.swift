// Tests the reports of casts of fetch requests that have no mechanical replacement.
import ExpectationSupport
import GraphPorting
import Testing

@Suite("Porting of casts of requests")
struct RequestCastTests {
    @Test("A bit cast to a request for a class is reported: the results of the request have another layout")
    func bitCasts() {
        let text = """
            import CoreData

            func requests(_ request: NSFetchRequest<NSFetchRequestResult>) {
                _ = unsafeBitCast(request, to: NSFetchRequest<Task>.self)
                _ = unsafeBitCast(request, to: NSFetchRequest<NSFetchRequestResult>.self)
                _ = unsafeBitCast(request, to: NSPersistentStoreRequest.self)
                #if canImport(ObjectiveC)
                _ = unsafeBitCast(request, to: NSFetchRequest<Task>.self)
                #endif
            }
            """
        let findings = Porter.port([Porter.Source(path: "A.swift", text: text)]).flatMap(\.findings)
        expectEqual(
            findings.map { "\($0.line):\($0.column) \($0.rule) \($0.isFixed)" },
            ["4:9 fetch-request-cast false"]
        )
    }
}
