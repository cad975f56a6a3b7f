// Private classes with `@NSManaged` members: the build plugin writes the members' accessors in another file, which cannot
// see the class. They are reported.
import SwiftSyntax

enum ManagedClassRule: PortingRule {
    static let name = "managed-class"

    static func run(on files: [PortingFile], index: CodeIndex) {
        for group in index.groups where group.isClass && !group.isExtension && !group.file.isLeftOut(group.node) {
            guard index.isManaged(group.name), hasManagedMember(group),
                let level = (group.node as? any WithModifiersSyntax)?.modifiers.first(where: {
                    ["private", "fileprivate"].contains($0.name.text)
                })
            else { continue }
            group.file.report(
                name,
                at: level,
                "the class \(group.name) is \(level.name.text) and has @NSManaged members, which the plugin implements in "
                    + "another file",
                "Make it internal, and the types of its members with it."
            )
        }
    }

    private static func hasManagedMember(_ group: CodeIndex.Group) -> Bool {
        group.node.memberBlock.members.contains { member in
            let attributes = member.decl.asProtocol((any WithAttributesSyntax).self)?.attributes
            return attributes?.contains { $0.trimmedDescription == "@NSManaged" } == true
        }
    }
}
