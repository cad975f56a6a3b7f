// The stacks of operations to undo and to redo; Foundation has no undo manager outside Apple's platforms. Contexts
// register the inverse of each event; programs can register their own operations.
import Foundation

/// Records operations for undo and redo.
///
/// It belongs to one queue, like the contexts that use it. No run loop ends an event: with `groupsByEvent`, a group
/// that was opened automatically is closed when the context's `perform` block ends, or at the next `undo()`, `redo()`
/// or `beginUndoGrouping()`. See [UndoManager](https://developer.apple.com/documentation/foundation/undomanager).
open class UndoManager: NSObject {
    /// One operation, or a group of them.
    private indirect enum Entry {
        case action(name: ObjectIdentifier, run: () -> Void)
        case group(Group)
    }

    private final class Group {
        var entries: [Entry] = []
        var actionName = ""
        var isDiscardable = false
        /// Whether the group was opened automatically and must be closed at the end of the event.
        let isAutomatic: Bool

        init(isAutomatic: Bool) { self.isAutomatic = isAutomatic }
    }

    private var undoStack: [Group] = []
    private var redoStack: [Group] = []
    /// Open groups, the outermost first.
    private var open: [Group] = []
    private var disabled = 0
    /// Contexts that must process their changes before a group ends.
    private let contexts = ContextList()

    /// Whether groups open and close automatically; true by default.
    open var groupsByEvent = true
    /// The maximum number of groups to undo, beyond which the oldest are discarded; 0, the default, for no limit.
    open var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// Whether an undo is in progress.
    public private(set) final var isUndoing = false
    /// Whether a redo is in progress.
    public private(set) final var isRedoing = false

    // MARK: Grouping

    /// The number of open groups.
    open var groupingLevel: Int { open.count }

    /// Opens a group: operations registered until it ends are undone together.
    open func beginUndoGrouping() {
        checkpoint()
        if open.last?.isAutomatic == true, !isUndoing, !isRedoing { closeEvent() }
        begin(isAutomatic: false)
    }

    private func begin(isAutomatic: Bool) {
        open.append(Group(isAutomatic: isAutomatic))
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    /// Closes the innermost group.
    ///
    /// Stops the program with a message if none is open.
    open func endUndoGrouping() {
        checkpoint()
        precondition(!open.isEmpty, "endUndoGrouping() without beginUndoGrouping().")
        end()
    }

    private func end() {
        let isDiscardable = open.last?.isDiscardable == true
        post(.NSUndoManagerWillCloseUndoGroup, isDiscardable ? [NSUndoManagerGroupIsDiscardableKey: true] : nil)
        // A handler or an observer may have removed all actions.
        guard let group = open.popLast() else { return }
        if !group.entries.isEmpty {
            if let outer = open.last {
                outer.entries.append(.group(group))
                if outer.actionName.isEmpty { outer.actionName = group.actionName }
            } else if isUndoing {
                redoStack.append(group)
            } else {
                undoStack.append(group)
                trim()
            }
        }
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    /// Ends the group that was opened automatically, if any.
    final func closeEvent() {
        while open.last?.isAutomatic == true { end() }
    }

    private func trim() {
        if levelsOfUndo > 0, undoStack.count > levelsOfUndo { undoStack.removeFirst(undoStack.count - levelsOfUndo) }
        if levelsOfUndo > 0, redoStack.count > levelsOfUndo { redoStack.removeFirst(redoStack.count - levelsOfUndo) }
    }

    // MARK: Registering

    /// Whether operations are recorded.
    open var isUndoRegistrationEnabled: Bool { disabled == 0 }

    /// Stops recording until the matching `enableUndoRegistration()`.
    open func disableUndoRegistration() {
        checkpoint()
        disabled += 1
    }

    /// Reverts one `disableUndoRegistration()`.
    open func enableUndoRegistration() {
        checkpoint()
        precondition(disabled > 0, "enableUndoRegistration() without disableUndoRegistration().")
        disabled -= 1
    }

    /// Registers the inverse of an operation.
    ///
    /// Stops the program with a message if no group is open and `groupsByEvent` is false.
    ///
    /// - Parameters:
    ///   - target: The handler's argument; it is not retained, and after its deallocation the operation does nothing.
    ///   - handler: Undoes the operation; the operations it registers form the redo.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType,
        handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        if open.isEmpty {
            precondition(
                groupsByEvent,
                "registerUndo(withTarget:handler:) outside of a group. Call beginUndoGrouping(), or set groupsByEvent."
            )
            begin(isAutomatic: true)
        }
        if !isUndoing, !isRedoing { redoStack = [] }
        open.last?.entries.append(
            .action(name: ObjectIdentifier(target)) { [weak target] in
                if let target { handler(target) }
            }
        )
    }

    /// Removes all operations.
    open func removeAllActions() {
        undoStack = []
        redoStack = []
        open = []
        disabled = 0
    }

    /// Removes the operations registered for a target.
    ///
    /// - Parameter target: The target.
    open func removeAllActions(withTarget target: Any) {
        let name = ObjectIdentifier(target as AnyObject)
        for group in undoStack + redoStack + open { Self.remove(name, from: group) }
        undoStack.removeAll { $0.entries.isEmpty }
        redoStack.removeAll { $0.entries.isEmpty }
    }

    private static func remove(_ name: ObjectIdentifier, from group: Group) {
        group.entries.removeAll { entry in
            switch entry {
            case .action(let target, _): return target == name
            case .group(let inner):
                remove(name, from: inner)
                return inner.entries.isEmpty
            }
        }
    }

    /// The number of groups that can be undone.
    open var undoCount: Int { undoStack.count }
    /// The number of groups that can be redone.
    open var redoCount: Int { redoStack.count }

    // MARK: Undoing

    /// Whether there is anything to undo.
    open var canUndo: Bool { !undoStack.isEmpty || open.contains { !$0.entries.isEmpty } }

    /// Whether there is anything to redo.
    open var canRedo: Bool {
        checkpoint()
        return !redoStack.isEmpty
    }

    /// Undoes the last group; ends the open group first, if there is only one.
    ///
    /// Does nothing during an undo or a redo, whose operations form one group. Stops the program with a message if groups
    /// are nested.
    open func undo() {
        checkpoint()
        guard !isUndoing, !isRedoing else { return }
        closeEvent()
        if open.count == 1 { end() }
        precondition(open.isEmpty, "undo() within a nested group. Call endUndoGrouping() first, or undoNestedGroup().")
        undoNestedGroup()
    }

    /// Undoes the last closed group, even while another is open.
    open func undoNestedGroup() {
        checkpoint()
        guard !isUndoing, !isRedoing, let group = undoStack.popLast() else { return }
        revert(group, \.isUndoing, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange)
    }

    /// Redoes the last undone group.
    open func redo() {
        checkpoint()
        closeEvent()
        guard !isUndoing, !isRedoing, let group = redoStack.popLast() else { return }
        revert(group, \.isRedoing, .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange)
    }

    /// Runs a group backwards; the operations it registers become one group of the other stack.
    private func revert(
        _ group: Group,
        _ state: ReferenceWritableKeyPath<UndoManager, Bool>,
        _ willChange: NSNotification.Name,
        _ didChange: NSNotification.Name
    ) {
        post(willChange)
        self[keyPath: state] = true
        let outer = open
        open = []
        begin(isAutomatic: false)
        open.last?.actionName = group.actionName
        open.last?.isDiscardable = group.isDiscardable
        Self.run(group)
        checkpoint()
        end()
        open = outer
        self[keyPath: state] = false
        post(didChange)
    }

    private static func run(_ group: Group) {
        for entry in group.entries.reversed() {
            switch entry {
            case .action(_, let run): run()
            case .group(let inner): self.run(inner)
            }
        }
    }

    // MARK: Names

    /// Names the open group, for menus.
    ///
    /// - Parameter actionName: For example "Rename".
    open func setActionName(_ actionName: String) {
        (open.first ?? undoStack.last)?.actionName = actionName
    }

    /// Marks the open group as one that may be dropped without asking when a document is closed.
    ///
    /// - Parameter discardable: Whether the group may be dropped.
    open func setActionIsDiscardable(_ discardable: Bool) {
        (open.first ?? undoStack.last)?.isDiscardable = discardable
    }

    /// The name of the group to undo, or an empty string.
    open var undoActionName: String { groupToUndo?.actionName ?? "" }
    /// The name of the group to redo, or an empty string.
    open var redoActionName: String { redoStack.last?.actionName ?? "" }
    /// Whether the group to undo is discardable.
    open var undoActionIsDiscardable: Bool { groupToUndo?.isDiscardable ?? false }
    /// Whether the group to redo is discardable.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
    /// The open group if it has operations, otherwise the last closed one.
    private var groupToUndo: Group? { open.first { !$0.entries.isEmpty } ?? undoStack.last }

    /// The title of a menu item for undo.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// The title of a menu item for redo.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// The title of a menu item for undo.
    ///
    /// - Parameter actionName: The name of the action, or an empty string.
    /// - Returns: For example "Undo Rename".
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a menu item for redo.
    ///
    /// - Parameter actionName: The name of the action, or an empty string.
    /// - Returns: For example "Redo Rename".
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: Contexts

    final func join(_ context: NSManagedObjectContext) { contexts.add(context) }
    final func leave(_ context: NSManagedObjectContext) { contexts.remove(context) }

    /// Makes the contexts process the changes made up to now.
    private func checkpoint() {
        post(.NSUndoManagerCheckpoint)
        for context in contexts.contexts(except: nil) { context.endEvent() }
    }

    private func post(_ name: NSNotification.Name, _ userInfo: [AnyHashable: Any]? = nil) {
        NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
    }
}

/// A user info key of `NSUndoManagerWillCloseUndoGroup`: true if the group that closes is discardable.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

extension NSNotification.Name {
    /// Posted by an undo manager before it examines the registered operations.
    public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
    /// Posted by an undo manager after a group was opened.
    public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name("NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted by an undo manager before a group is closed.
    public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification"
    )
    /// Posted by an undo manager after a group was closed.
    public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name("NSUndoManagerDidCloseUndoGroupNotification")
    /// Posted by an undo manager before it undoes.
    public static let NSUndoManagerWillUndoChange = NSNotification.Name("NSUndoManagerWillUndoChangeNotification")
    /// Posted by an undo manager after it has undone.
    public static let NSUndoManagerDidUndoChange = NSNotification.Name("NSUndoManagerDidUndoChangeNotification")
    /// Posted by an undo manager before it redoes.
    public static let NSUndoManagerWillRedoChange = NSNotification.Name("NSUndoManagerWillRedoChangeNotification")
    /// Posted by an undo manager after it has redone.
    public static let NSUndoManagerDidRedoChange = NSNotification.Name("NSUndoManagerDidRedoChangeNotification")
}
