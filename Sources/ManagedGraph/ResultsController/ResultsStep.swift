// A change of a list that waits for its turn. Queued by ResultsTracker.

/// A pending change of a list.
enum ResultsStep {
    case plan(ListPlan)
    case replacement(SectionedList, ListChanges)
}
