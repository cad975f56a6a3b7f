// The results behind a fetched list: KeySource reads them in portions, ObjectSource holds all of them.

/// The results of a fetched list.
protocol ListSource: AnyObject {
    /// The number of results, or a smaller one that is at least `minimum`.
    func count(atLeast minimum: Int) -> Int

    /// The objects of some results, which were counted.
    func objects(_ range: Range<Int>) -> [NSManagedObject]
}
