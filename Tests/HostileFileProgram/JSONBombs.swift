// JSON of very many small values.
import Foundation

/// Hostile JSON.
enum JSONBombs {
    static func numbers(_ size: Int) -> Data { list("1", size) }

    static func lists(_ size: Int) -> Data { list("[]", size) }

    private static func list(_ value: String, _ size: Int) -> Data {
        Data(("[" + String(repeating: value + ",", count: size / (value.utf8.count + 1)) + value + "]").utf8)
    }
}
