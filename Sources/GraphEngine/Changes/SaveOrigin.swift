// Whose changes a transaction holds, for the history. Given by contexts and batch requests to the store that is written.

/// Who makes a save.
package struct SaveOrigin {
    package var author: String?
    package var contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}
