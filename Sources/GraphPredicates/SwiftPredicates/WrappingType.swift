// The protocol of optionals, for the type that they wrap.
import Foundation

protocol WrappingType {
    static var wrapped: Any.Type { get }
}
