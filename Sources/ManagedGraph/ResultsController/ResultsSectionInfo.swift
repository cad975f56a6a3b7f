/// A section as a delegate and the reader of `sections` see it.
///
/// Number and title are those of the moment it was made; the objects are read from the list when asked for.
final class ResultsSectionInfo: NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    let numberOfObjects: Int
    private let section: ListSection<NSManagedObject>

    init(_ section: ListSection<NSManagedObject>, indexTitle: String?) {
        self.section = section
        name = section.name
        numberOfObjects = section.count
        self.indexTitle = indexTitle
    }

    var objects: [Any]? {
        var result: [NSManagedObject] = []
        section.appendObjects(to: &result)
        return result
    }
}
