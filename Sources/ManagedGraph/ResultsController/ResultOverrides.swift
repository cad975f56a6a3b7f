// The members of a results controller whose signatures name the result type. Their type-erased twins call them on
// subclasses. The result type is given when a controller is made, and unknown to its delegate.
import Foundation

/// Calls the members that a subclass of the results controller may override.
final class ResultOverrides {
    /// The members for the controller's result type; nil for a controller that is of no subclass.
    var members: (any OverriddenMembers.Type)?
    private var running: Member = []

    /// The members of which a subclass may have its own.
    struct Member: OptionSet {
        let rawValue: Int

        static let objects = Member(rawValue: 1)
        static let object = Member(rawValue: 2)
        static let indexPath = Member(rawValue: 4)
    }

    /// Calls a member of a subclass.
    ///
    /// - Parameters:
    ///   - member: The member.
    ///   - call: Calls it.
    /// - Returns: The result of the call; nil for a controller of no subclass, and while the member runs: an override may
    ///   call the twin as `super`.
    func result<Value>(of member: Member, _ call: (any OverriddenMembers.Type) -> Value) -> Value? {
        guard let members, !running.contains(member) else { return nil }
        running.insert(member)
        defer { running.remove(member) }
        return call(members)
    }
}
