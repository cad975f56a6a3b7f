// The results of a fetched list that were fetched as a whole.

/// Results that were fetched as a whole.
final class ObjectSource: ListSource {
    private let objects: [NSManagedObject]

    init(_ objects: [NSManagedObject]) { self.objects = objects }

    func count(atLeast minimum: Int) -> Int { objects.count }

    func objects(_ range: Range<Int>) -> [NSManagedObject] { Array(objects[range]) }
}
