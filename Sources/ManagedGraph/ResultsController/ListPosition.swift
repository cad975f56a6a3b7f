// The section and the index of an object in the arrangement of a results controller.

/// The position of an object.
struct ListPosition: Hashable {
    var section: Int
    var item: Int
}
