// XML with entities that expand, with very many parts, and with deep nesting.
import Foundation

/// Hostile XML.
enum XMLBombs {
    /// Definitions of entities, each of ten of the one before: the last one has ten billion characters.
    private static func entities(_ root: String) -> String {
        let lines = (1...9).map { level in
            "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
        }
        return "<?xml version=\"1.0\"?><!DOCTYPE \(root) [<!ENTITY e0 \"0123456789\">" + lines.joined() + "]>"
    }

    static var list: Data {
        Data((entities("plist") + "<plist version=\"1.0\"><array><string>&e9;</string></array></plist>").utf8)
    }

    static var model: Data {
        Data((entities("model") + "<model name=\"&e9;\"><entity name=\"&e9;\"/></model>").utf8)
    }

    static var store: Data {
        Data((entities("database") + "<database><databaseInfo><UUID>&e9;</UUID></databaseInfo></database>").utf8)
    }

    private static func model(_ part: String, _ size: Int) -> Data {
        Data(("<model>" + String(repeating: part, count: size / part.utf8.count) + "</model>").utf8)
    }

    static func elements(_ size: Int) -> Data { model("<a/>", size) }

    static func attributes(_ size: Int) -> Data { model("<a b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\"/>", size) }

    static func deep(_ size: Int) -> Data {
        Data((String(repeating: "<a>", count: size / 7) + String(repeating: "</a>", count: size / 7)).utf8)
    }

    /// Composite types, each with several attributes of the next one; the last one has a text.
    static func composites(fan: Int, depth: Int) -> Data {
        let types = (0..<depth).map { level in
            let type = level == depth - 1 ? "String" : "Composite\" composite=\"C\(level + 1)"
            let attributes = (0..<fan).map { "<attribute name=\"a\($0)\" attributeType=\"\(type)\"/>" }
            return "<composite name=\"C\(level)\">\(attributes.joined())</composite>"
        }
        let entity =
            "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Composite\" composite=\"C0\"/></entity>"
        return Data("<model>\(entity)\(types.joined())</model>".utf8)
    }

    private static let head =
        "<?xml version=\"1.0\"?><database><databaseInfo><version>134481920</version>"
        + "<UUID>3F2504E0-4F89-11D3-9A0C-0305E82C3301</UUID><nextObjectID>2</nextObjectID>"

    /// A store whose only relationship has very many references.
    static func references(_ size: Int) -> Data {
        let references = String(repeating: "z ", count: size / 2)
        return Data(
            (head + "</databaseInfo><object type=\"ITEM\" id=\"z1\"><relationship name=\"a\" idrefs=\"\(references)\"/>"
                + "</object></database>").utf8
        )
    }

    /// A store whose metadata are a very long list.
    static func listInStore(_ size: Int) -> Data {
        let values = String(repeating: "<true/>", count: size / 7)
        return Data(
            (head
                + "<metadata><plist version=\"1.0\"><dict><key>a</key><array>\(values)</array></dict></plist></metadata>"
                + "</databaseInfo></database>").utf8
        )
    }
}
