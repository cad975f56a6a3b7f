/// A section of a results controller.
public protocol NSFetchedResultsSectionInfo {
    /// The name: the text of the value at the section name key path.
    var name: String { get }
    /// The title in the list's index.
    var indexTitle: String? { get }
    /// The number of objects.
    var numberOfObjects: Int { get }
    /// The objects in order.
    var objects: [Any]? { get }
}
