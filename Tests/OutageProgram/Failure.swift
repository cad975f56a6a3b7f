// Something of the system that fails in a run of a scenario: a call that is made to fail, or a real shortage. Used by
// FailingCalls.
import CFileCalls
import Foundation

/// Something that fails.
enum Failure {
    /// The call of a kind with a number, and all later ones if `isLasting`.
    case call(FileCall, number: Int, code: Int32, isLasting: Bool)
    /// Opening files, but for that many.
    case descriptors(Int)
    /// Writing to the volume.
    case readOnlyVolume

    /// Begins to fail.
    ///
    /// - Parameter place: The working folder of the run.
    /// - Returns: False if the system does not let it happen now.
    func begin(_ place: URL) -> Bool {
        switch self {
        case .call(let call, let number, let code, let isLasting):
            file_calls_watch(place.path)
            call.fail(number, code, isLasting: isLasting)
        case .descriptors(let count): DescriptorLimit.leave(count)
        case .readOnlyVolume: return WorkVolume.makeReadOnly()
        }
        return true
    }

    /// Lets everything work again.
    func end() {
        switch self {
        case .call: FileCall.work()
        case .descriptors: DescriptorLimit.restore()
        case .readOnlyVolume: WorkVolume.makeWritable()
        }
    }

    /// The calls that have failed so far; nil if the system fails them, which does not count them.
    var failedCalls: Int? {
        if case .call = self { return Int(file_calls_failed()) }
        return nil
    }

    /// Whether files cannot be removed until it has ended, so that a failed step can leave new ones.
    var keepsNewFiles: Bool {
        if case .call(.unlink, _, _, isLasting: true) = self { return true }
        return false
    }
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .call(let call, let number, let code, let isLasting):
            "call \(number) of \(call) \(String(cString: strerror(code)))\(isLasting ? " from now on" : ""), "
                + String(cString: file_calls_last())
        case .descriptors(let count): "\(count) more open files"
        case .readOnlyVolume: "a read-only volume"
        }
    }
}
