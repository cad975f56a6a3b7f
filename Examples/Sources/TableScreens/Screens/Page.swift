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
    ///   - form: the fields.
    public init(title: String, back: Link? = nil, form: Form) {
        self.title = title
        self.back = back
        self.buttons = []
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

/// A button in the navigation bar.
public enum BarButton: Sendable {
    /// A plus sign that opens a screen.
    case addLink(label: String, to: String)
    /// A plus sign that does the screen's action.
    case addAction(label: String, action: String)
}

/// A button in the toolbar at the bottom.
public struct ToolbarItem: Sendable {
    var title: String
    var label: String
    var address: String
    var isCurrent: Bool

    /// A button that opens an address.
    ///
    /// - Parameters:
    ///   - title: the short word shown.
    ///   - label: what a screen reader says.
    ///   - address: an address that `Place` made.
    ///   - isCurrent: whether what it leads to is what is shown.
    public init(_ title: String, label: String, to address: String, isCurrent: Bool = false) {
        self.title = title
        self.label = label
        self.address = address
        self.isCurrent = isCurrent
    }
}

/// A message that waits for an OK.
public struct Alert: Sendable {
    /// The title.
    public var title: String
    /// The words below the title.
    public var message: String
    /// A list below the words.
    public var items: [String]

    /// A message that waits for an OK.
    ///
    /// - Parameters:
    ///   - title: the title.
    ///   - message: the words below the title.
    ///   - items: a list below the words.
    public init(title: String, message: String = "", items: [String] = []) {
        self.title = title
        self.message = message
        self.items = items
    }
}
