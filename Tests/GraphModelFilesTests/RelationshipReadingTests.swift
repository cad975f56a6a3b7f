// Tests reading of relationships.
import ExpectationSupport
import GraphModel
import GraphModelFiles
import Testing

struct RelationshipReadingTests {
    private func relationship(_ xml: String) throws -> Relationship? {
        let properties = try ModelText.readProperties("<relationship name=\"r\" destinationEntity=\"E\" \(xml)/>")
        guard case .relationship(let relationship)? = properties.first else { return nil }
        return relationship
    }

    @Test(arguments: [
        ("maxCount=\"1\"", false, 0, 1), ("toMany=\"YES\"", true, 0, 0), ("", false, 0, 1),
        ("toMany=\"YES\" minCount=\"2\" maxCount=\"10\"", true, 2, 10), ("minCount=\"1\" maxCount=\"1\"", false, 1, 1),
        ("minCount=\"1\" maxCount=\"-1\"", true, 1, 0), ("toMany=\"true\"", true, 0, 0),
        ("toMany=\"NO\" maxCount=\"1\"", false, 0, 1), ("maxCount=\"5\"", true, 0, 5),
    ])
    func cardinalityIsReadInEverySpelling(xml: String, isToMany: Bool, minimum: Int, maximum: Int) throws {
        let relationship = try #require(try relationship(xml))
        expectEqual(relationship.isToMany, isToMany)
        expectEqual(relationship.minCount, minimum)
        expectEqual(relationship.maxCount, maximum)
    }

    @Test(arguments: [
        ("Nullify", DeleteRule.nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
        ("cascade", .cascade),
    ])
    func everyDeleteRuleIsRead(name: String, rule: DeleteRule) throws {
        try expectEqual(relationship("deletionRule=\"\(name)\"")?.deleteRule, rule)
    }

    @Test func withoutADeleteRuleARelationshipNullifies() throws {
        try expectEqual(relationship("")?.deleteRule, .nullify)
    }

    @Test func inverseOrderAndCommonPartsAreRead() throws {
        let model = try ModelText.read(
            """
            <entity name="List">
                <relationship name="tasks" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
                    destinationEntity="Task" inverseName="list" inverseEntity="List" elementID="items">
                    <userInfo><entry key="k" value="v"/></userInfo>
                </relationship>
            </entity>
            <entity name="Task">
                <relationship name="list" optional="NO" maxCount="1" deletionRule="Nullify"
                    destinationEntity="List" inverseName="tasks" inverseEntity="List"/>
            </entity>
            """
        )
        let tasks = try #require(model.entity(named: "List")?.relationships.first)
        #expect(tasks.isOrdered && tasks.isToMany && tasks.common.isOptional)
        expectEqual(tasks.destinationEntityName, "Task")
        expectEqual(tasks.inverseName, "list")
        expectEqual(tasks.common.renamingIdentifier, "items")
        expectEqual(tasks.common.userInfo, ["k": "v"])
        let list = try #require(model.entity(named: "Task")?.relationships.first)
        #expect(!list.common.isOptional && !list.isOrdered)
    }

    @Test func anInverseMayBeInheritedByTheDestination() throws {
        let model = try ModelText.read(
            """
            <entity name="Base">
                <relationship name="owner" maxCount="1" destinationEntity="Owner" inverseName="things"/>
            </entity>
            <entity name="Thing" parentEntity="Base"/>
            <entity name="Owner">
                <relationship name="things" toMany="YES" destinationEntity="Thing" inverseName="owner"/>
            </entity>
            """
        )
        #expect(model.problems().isEmpty)
    }
}
