// The files that a shell offers for an argument. Used in the declarations of the commands' arguments.
import ArgumentParser

extension CompletionKind {
    /// Stores.
    static let stores = CompletionKind.file(extensions: [
        "sqlite", "sqlite3", "db", "store", "storedata", "xml", "binary",
    ])

    /// Models of every format, and stores, which contain one.
    static let models = CompletionKind.file(
        extensions: [
            "xcdatamodeld", "xcdatamodel", "momd", "mom", "xcmappingmodel", "cdm", "sqlite", "sqlite3", "db", "store",
        ]
    )
}
