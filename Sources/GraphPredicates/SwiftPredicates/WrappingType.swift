// Variables, constants and key paths in Swift predicates. Beside `SwiftConstant`.
import Foundation

protocol WrappingType {
    static var wrapped: Any.Type { get }
}
