// The origin of a transaction, for the history. Passed by contexts and batch requests to the store they write.

/// The author and context of a save.
package struct SaveOrigin {
    package var author: String?
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}
