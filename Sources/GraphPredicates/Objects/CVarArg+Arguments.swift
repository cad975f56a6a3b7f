// Outside Apple's platforms few types conform to CVarArg, which the compiler requires in a format's argument list. These
// conformances add the types that predicates support. GraphPredicates casts each argument back and never passes it to
// C; the encoding is only for callers that pass such a value to another variadic function.

import Foundation

/// Encodes a value as the object that represents it.
private func encoding(of object: AnyObject) -> [Int] {
    // The argument list outlives this call, and its end is unknown: the reference is leaked.
    [Int(bitPattern: Unmanaged.passRetained(object).toOpaque())]
}

extension NSObject: @retroactive CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())] }
}

extension Array: @retroactive CVarArg {
    /// The address of an NSArray with the elements.
    public var _cVarArgEncoding: [Int] { encoding(of: NSArray(array: map { $0 as Any })) }
}

extension Set: @retroactive CVarArg {
    /// The address of an NSSet with the elements.
    public var _cVarArgEncoding: [Int] { encoding(of: NSSet(array: map { $0 as Any })) }
}

extension Dictionary: @retroactive CVarArg {
    /// The address of an NSString that describes the dictionary.
    public var _cVarArgEncoding: [Int] { encoding(of: NSString(string: String(describing: self))) }
}

extension UUID: @retroactive CVarArg {
    /// The address of an NSUUID.
    public var _cVarArgEncoding: [Int] { encoding(of: self as NSUUID) }
}

extension Date: @retroactive CVarArg {
    /// The address of an NSDate.
    public var _cVarArgEncoding: [Int] { encoding(of: self as NSDate) }
}

extension Data: @retroactive CVarArg {
    /// The address of an NSData.
    public var _cVarArgEncoding: [Int] { encoding(of: self as NSData) }
}

extension URL: @retroactive CVarArg {
    /// The address of an NSURL.
    public var _cVarArgEncoding: [Int] { encoding(of: self as NSURL) }
}

extension Decimal: @retroactive CVarArg {
    /// The address of an NSDecimalNumber.
    public var _cVarArgEncoding: [Int] { encoding(of: NSDecimalNumber(decimal: self)) }
}
