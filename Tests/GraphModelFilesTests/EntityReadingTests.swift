// Tests reading of entities and of the model's other parts.
import ExpectationSupport
import Foundation
import GraphModel
import GraphModelFiles
import Testing

struct EntityReadingTests {
    @Test func anEntityHasItsNameClassSuperentityAndFlags() throws {
        let model = try ModelText.read(
            """
            <entity name="Base" isAbstract="YES" representedClassName=".Base" codeGenerationType="category"/>
            <entity name="Task" parentEntity="Base" representedClassName="App.TaskObject" elementID="OldTask"
                versionHashModifier="2" syncable="YES">
                <userInfo><entry key="color" value="red"/><entry key="empty" value=""/></userInfo>
            </entity>
            <entity name="Plain" representedClassName="NSManagedObject"/>
            <entity name="Made" codeGenerationType="class"/>
            """
        )
        let base = try #require(model.entity(named: "Base"))
        #expect(base.isAbstract)
        expectEqual(base.className, ".Base")
        expectEqual(base.codeGeneration, .category)
        let task = try #require(model.entity(named: "Task"))
        expectEqual(task.superentityName, "Base")
        expectEqual(task.className, "App.TaskObject")
        expectEqual(task.codeGeneration, .manual)
        expectEqual(task.renamingIdentifier, "OldTask")
        expectEqual(task.versionHashModifier, "2")
        expectEqual(task.userInfo, ["color": "red", "empty": ""])
        #expect(!task.isAbstract)
        expectNil(model.entity(named: "Plain")?.className)
        let made = try #require(model.entity(named: "Made"))
        expectEqual(made.className, "Made")
        expectEqual(made.codeGeneration, .classDefinition)
        expectEqual(model.entities.map(\.name), ["Base", "Task", "Plain", "Made"], "The order of the file is kept")
    }

    @Test func constraintsAndIndexesAreReadInTheirOrder() throws {
        let model = try ModelText.read(
            """
            <entity name="E">
                <attribute name="a" attributeType="String"/>
                <attribute name="b" attributeType="Double"/>
                <fetchIndex name="byA">
                    <fetchIndexElement property="a" type="Binary" order="descending"/>
                    <fetchIndexElement property="b" type="Binary" order="ascending"/>
                </fetchIndex>
                <fetchIndex name="near" partialIndexPredicate="b &gt; 1">
                    <fetchIndexElement property="b" type="RTree" order="ascending"/>
                </fetchIndex>
                <fetchIndex name="computed">
                    <fetchIndexElement expression="length:(a)" expressionType="Integer 16" type="Binary" order="ascending"/>
                </fetchIndex>
                <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex></compoundIndexes>
                <uniquenessConstraints>
                    <uniquenessConstraint><constraint value="b"/><constraint value="a"/></uniquenessConstraint>
                    <uniquenessConstraint><constraint value="a"/></uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            """
        )
        let entity = try #require(model.entities.first)
        expectEqual(entity.uniquenessConstraints, [["b", "a"], ["a"]])
        expectEqual(entity.compoundIndexes, [["a", "b"]])
        expectEqual(
            entity.indexes,
            [
                FetchIndex(
                    name: "byA",
                    elements: [
                        FetchIndexElement(propertyName: "a", isAscending: false), FetchIndexElement(propertyName: "b"),
                    ]
                ),
                FetchIndex(
                    name: "near",
                    elements: [FetchIndexElement(propertyName: "b", isRTree: true)],
                    partialPredicateFormat: "b > 1"
                ),
                FetchIndex(
                    name: "computed",
                    elements: [FetchIndexElement(propertyName: nil, expressionFormat: "length:(a)")]
                ),
            ]
        )
    }

    @Test func configurationsTemplatesAndTheVersionIdentifierAreRead() throws {
        let model = try ModelText.read(
            """
            <entity name="A"/><entity name="B"/>
            <configuration name="Cloud"><memberEntity name="B"/><memberEntity name="A"/></configuration>
            <fetchRequest name="ByName" entity="A" predicateString="name == $NAME &amp;&amp; 1 &lt; 2"/>
            <fetchRequest name="IDs" entity="A" resultType="1"/>
            <fetchRequest name="Rows" entity="B" resultType="2"/>
            <fetchRequest name="All" entity="B" fetchLimit="5" fetchBatchSize="20" includeSubentities="NO"
                includePropertyValues="NO" includesPendingChanges="NO" returnObjectsAsFaults="NO"
                returnDistinctResults="YES"/>
            """,
            identifier: "3.1"
        )
        expectEqual(model.versionIdentifiers, ["3.1"])
        expectEqual(model.configurations, [Configuration(name: "Cloud", entityNames: ["B", "A"])])
        expectEqual(
            model.fetchRequestTemplates,
            [
                FetchRequestTemplate(name: "ByName", entityName: "A", predicateFormat: "name == $NAME && 1 < 2"),
                FetchRequestTemplate(name: "IDs", entityName: "A", resultType: 1, includesPropertyValues: false),
                FetchRequestTemplate(name: "Rows", entityName: "B", resultType: 2, includesPendingChanges: false),
                FetchRequestTemplate(
                    name: "All",
                    entityName: "B",
                    fetchLimit: 5,
                    fetchBatchSize: 20,
                    includesSubentities: false,
                    includesPropertyValues: false,
                    returnsObjectsAsFaults: false,
                    returnsDistinctResults: true,
                    includesPendingChanges: false
                ),
            ]
        )
        try expectEqual(ModelText.read("<entity name=\"A\"/>").versionIdentifiers, [""], "As Apple's compiler has it")
    }

    @Test func fetchedPropertiesCarryTheirRequest() throws {
        let properties = try ModelText.readProperties(
            """
            <fetchedProperty name="recent" optional="YES" elementID="old">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="E" predicateString="a == $FETCH_SOURCE.a"/>
                <userInfo><entry key="k" value="v"/></userInfo>
            </fetchedProperty>
            """
        )
        guard case .fetched(let fetched)? = properties.first else {
            Issue.record("no fetched property was read")
            return
        }
        expectEqual(fetched.name, "recent")
        expectEqual(fetched.request.entityName, "E")
        expectEqual(fetched.request.predicateFormat, "a == $FETCH_SOURCE.a")
        #expect(fetched.common.isTransient && fetched.common.isReadOnly && fetched.common.isOptional)
        expectEqual(fetched.common.renamingIdentifier, "old")
        expectEqual(fetched.common.userInfo, ["k": "v"])
    }

    @Test func inheritedPropertiesComeFirst() throws {
        let model = try ModelText.read(
            """
            <entity name="C" parentEntity="B"><attribute name="c" attributeType="String"/></entity>
            <entity name="B" parentEntity="A"><attribute name="b" attributeType="String"/></entity>
            <entity name="A"><attribute name="a" attributeType="String"/></entity>
            """
        )
        expectEqual(model.allProperties(ofEntityNamed: "C").map(\.name), ["a", "b", "c"])
        #expect(model.allProperties(ofEntityNamed: "Z").isEmpty)
    }
}
