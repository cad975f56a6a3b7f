// A model in a temporary folder of its own. Used by all tests of this module.
import Foundation

/// A model that a test may change.
struct ModelFolder {
    let folder: URL
    let url: URL

    /// Copies a model.
    init(copying model: URL) throws {
        self = try ModelFolder(named: model.lastPathComponent)
        try FileManager.default.copyItem(at: model, to: url)
    }

    /// An empty folder for a model.
    init(named name: String = "Model.xcdatamodeld") throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("modelling-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(name)
    }

    /// Writes versions of a model.
    init(versions: [String: String], current: String) throws {
        try self.init()
        for (name, text) in versions {
            let version = url.appendingPathComponent("\(name).xcdatamodel")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: version.appendingPathComponent("contents"))
        }
        let list = ["_XCCurrentVersionName": "\(current).xcdatamodel"]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            .write(to: url.appendingPathComponent(".xccurrentversion"))
    }

    /// The text of one version; of the model itself without a name.
    func contents(of version: String? = nil) throws -> String {
        var file = url
        if let version { file = file.appendingPathComponent("\(version).xcdatamodel") }
        return String(decoding: try Data(contentsOf: file.appendingPathComponent("contents")), as: UTF8.self)
    }

    /// Changes the text of a version, as another program does.
    func replace(_ old: String, with new: String, in version: String) throws {
        let text = try contents(of: version).replacingOccurrences(of: old, with: new)
        try Data(text.utf8).write(to: url.appendingPathComponent("\(version).xcdatamodel/contents"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// A model of tasks and lists with a part of each kind.
    static let sample = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="14460.32" \
        systemVersion="17G65" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
        userDefinedModelVersionIdentifier="">
            <entity name="Item" representedClassName="Item" isAbstract="YES" syncable="YES" codeGenerationType="class">
                <attribute name="title" attributeType="String" minValueString="1" syncable="YES"/>
                <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
            </entity>
            <entity name="Task" representedClassName="Task" parentEntity="Item" syncable="YES" \
        codeGenerationType="class">
                <!-- A comment that must survive. -->
                <attribute name="priority" attributeType="Integer 16" defaultValueString="0" \
        usesScalarValueType="YES" syncable="YES"/>
                <attribute name="photo" optional="YES" attributeType="Binary" syncable="YES"/>
                <attribute name="colour" optional="YES" attributeType="Transformable" syncable="YES"/>
                <attribute name="place" optional="YES" attributeType="Composite" composite="Place" syncable="YES"/>
                <relationship name="list" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="List" \
        inverseName="tasks" inverseEntity="List" syncable="YES"/>
                <fetchedProperty name="urgent" optional="YES" syncable="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Task" predicateString="priority &gt; 3"/>
                </fetchedProperty>
                <fetchIndex name="byPriority">
                    <fetchIndexElement property="priority" type="Binary" order="ascending"/>
                </fetchIndex>
                <userInfo>
                    <entry key="group" value="work"/>
                </userInfo>
            </entity>
            <entity name="List" representedClassName="List" syncable="YES" codeGenerationType="class">
                <attribute name="name" attributeType="String" syncable="YES"/>
                <relationship name="tasks" optional="YES" toMany="YES" deletionRule="Cascade" \
        destinationEntity="Task" inverseName="list" inverseEntity="Task" syncable="YES"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="name"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
            </entity>
            <fetchRequest name="Urgent" entity="Task" predicateString="priority &gt; $least"/>
            <configuration name="Cloud">
                <memberEntity name="List"/>
            </configuration>
            <composite name="Place">
                <attribute name="latitude" attributeType="Double" usesScalarValueType="YES"/>
                <attribute name="longitude" attributeType="Double" usesScalarValueType="YES"/>
            </composite>
            <elements>
                <element name="Item" positionX="-63" positionY="-18" width="128" height="75"/>
                <element name="Task" positionX="160" positionY="20" width="128" height="140"/>
                <element name="List" positionX="360" positionY="-9" width="128" height="74"/>
            </elements>
        </model>

        """
}
