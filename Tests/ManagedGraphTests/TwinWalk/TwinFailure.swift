// The error of a walk. Thrown by TwinWalk.

/// A difference between the framework and the plain model.
struct TwinFailure: Error {
    let text: String
}
