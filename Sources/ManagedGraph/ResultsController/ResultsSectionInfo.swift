/// The section info passed to delegates and returned by `sections`.
///
/// The count and the title are those at creation; the objects are read from the list on access.
final class ResultsSectionInfo: NSObject, NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    let numberOfObjects: Int
    private let section: ListSection

    init(_ section: ListSection, indexTitle: String?) {
        self.section = section
        name = section.name
        numberOfObjects = section.count
        self.indexTitle = indexTitle
    }

    /// Whether it is the same section of the same controller, as objects of Apple's are one and the same then.
    override func isEqual(_ object: Any?) -> Bool {
        (object as? ResultsSectionInfo)?.section === section
    }

    override var hash: Int { ObjectIdentifier(section).hashValue }

    var objects: [Any]? {
        var result: [NSManagedObject] = []
        section.appendObjects(to: &result)
        return result
    }
}
