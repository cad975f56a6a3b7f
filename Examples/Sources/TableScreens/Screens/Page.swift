// The description of a screen's contents: bars, content and alert. Created by screens on the context's queue, and
// rendered there immediately; it does not leave the queue.

/// The description of a screen's contents.
public struct Page {
    /// The title in the navigation bar.
    public var title: String
    /// The link of the back button; nil for none (the application's first screen then links to the home page).
    public var back: Link?
    /// The buttons at the trailing end of the navigation bar.
    public var buttons: [BarButton]
    /// The table or the form.
    public var content: Content
    /// The groups of links above the table.
    public var choices: [ChoiceBar]
    /// The buttons at the bottom.
    public var toolbar: [ToolbarItem]
    /// An alert over the screen.
    public var alert: Alert?

    /// The main content of a page.
    public enum Content {
        case table(Table)
        case form(Form)
    }

    /// Creates a page with a table.
    ///
    /// - Parameters:
    ///   - title: The title in the navigation bar.
    ///   - back: The link of the back button.
    ///   - buttons: The buttons at the trailing end of the navigation bar.
    ///   - choices: The groups of links above the table.
    ///   - table: The rows.
    ///   - toolbar: The buttons at the bottom.
    ///   - alert: An alert over the screen.
    public init(
        title: String,
        back: Link? = nil,
        buttons: [BarButton] = [],
        choices: [ChoiceBar] = [],
        table: Table,
        toolbar: [ToolbarItem] = [],
        alert: Alert? = nil
    ) {
        self.title = title
        self.back = back
        self.buttons = buttons
        self.choices = choices
        self.content = .table(table)
        self.toolbar = toolbar
        self.alert = alert
    }

    /// Creates a page with a form.
    ///
    /// - Parameters:
    ///   - title: The title in the navigation bar.
    ///   - back: The link of the back or cancel button.
    ///   - buttons: The buttons at the trailing end of the navigation bar.
    ///   - form: The fields.
    public init(title: String, back: Link? = nil, buttons: [BarButton] = [], form: Form) {
        self.title = title
        self.back = back
        self.buttons = buttons
        self.choices = []
        self.content = .form(form)
        self.toolbar = []
    }
}
