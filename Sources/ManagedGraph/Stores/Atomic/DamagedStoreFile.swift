/// The reason why the file of an XML or binary store cannot be read.
struct DamagedStoreFile: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}
