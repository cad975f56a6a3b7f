// What a screen shows, as a description: bars, content, alert. Made by screens on the context's queue and rendered
// there at once; it does not leave the queue.

/// What a screen shows.
public struct Page {
    /// The title in the navigation bar.
    public var title: String
    /// Where the back button leads, nil for none (the application's first screen leads home by itself).
    public var back: Link?
    /// The buttons at the trailing end of the navigation bar.
    public var buttons: [BarButton]
    /// The table or the form.
    public var content: Content
    /// The buttons at the bottom.
    public var toolbar: [ToolbarItem]
    /// An alert over the screen.
    public var alert: Alert?

    /// What fills a page.
    public enum Content {
        case table(Table)
        case form(Form)
    }

    /// A page with a table.
    ///
    /// - Parameters:
    ///   - title: the title in the navigation bar.
    ///   - back: where the back button leads.
    ///   - buttons: the buttons at the trailing end of the navigation bar.
    ///   - table: the rows.
    ///   - toolbar: the buttons at the bottom.
    ///   - alert: an alert over the screen.
    public init(
        title: String,
        back: Link? = nil,
        buttons: [BarButton] = [],
        table: Table,
        toolbar: [ToolbarItem] = [],
        alert: Alert? = nil
    ) {
        self.title = title
        self.back = back
        self.buttons = buttons
        self.content = .table(table)
        self.toolbar = toolbar
        self.alert = alert
    }

    /// A page with a form.
    ///
    /// - Parameters:
    ///   - title: the title in the navigation bar.
    ///   - back: where the back or cancel button leads.
    ///   - buttons: the buttons at the trailing end of the navigation bar.
    ///   - form: the fields.
    public init(title: String, back: Link? = nil, buttons: [BarButton] = [], form: Form) {
        self.title = title
        self.back = back
        self.buttons = buttons
        self.content = .form(form)
        self.toolbar = []
    }
}

/// A titled address.
public struct Link: Sendable {
    /// The words.
    public var title: String
    /// The address, made by `Place.link`.
    public var address: String

    /// A titled address.
    ///
    /// - Parameters:
    ///   - title: the words.
    ///   - address: an address that `Place.link` made.
    public init(_ title: String, to address: String) {
        self.title = title
        self.address = address
    }
}
