// The settings of a model that Xcode's file inspector shows. Part of ModelPicture.

/// The settings of a whole model.
public struct ModelSettings: Sendable, Hashable, Codable {
    /// The version identifier.
    public var identifier: String?
    /// The language of generated classes: `Swift` or `Objective-C`.
    public var language: String?
    /// The oldest version of Xcode that opens the model.
    public var minimumTools: String?
    /// Whether the model is synchronized with CloudKit.
    public var isUsedWithCloudKit: Bool
    /// Whether the model is used with SwiftData.
    public var isUsedWithSwiftData: Bool
    /// The version of the tools that saved the model.
    public var tools: String?
}
