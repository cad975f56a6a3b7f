// The name of the section that a value at the section name key path gives.
import Foundation

/// The text of a section name.
enum SectionName {
    /// Returns the name for a value at the section name key path; empty for nil.
    static func text(of value: Any?) -> String {
        switch value {
        case nil, is NSNull: ""
        case let text as String: text
        case let flag as Bool: flag ? "1" : "0"
        case let number as NSNumber: number.stringValue
        case let value?: "\(value)"
        }
    }
}
