// Reads the cookies of a request.
import Foundation
import Hummingbird

extension Request {
    /// Returns the value of a cookie.
    ///
    /// - Parameter name: The cookie's name.
    /// - Returns: The value without percent encoding, or nil if the browser sent none.
    public func cookie(_ name: String) -> String? {
        let pairs = (headers[.cookie] ?? "").split(separator: ";").map { $0.drop(while: { $0 == " " }) }
        let value = pairs.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        return value.flatMap { String($0).removingPercentEncoding }
    }
}
