// Evaluates `#if` conditions for the platform that the generator runs on. Used by SourceReader. An undecidable
// condition (a flag of the build) is left to the compiler: generated code is then wrapped in the same condition.
import SwiftSyntax

/// Evaluates conditions without considering the build's own flags.
package enum PlatformCondition {
    /// Modules that exist only on Apple platforms.
    package static let appleModules: Set<String> = [
        "ObjectiveC", "Darwin", "UIKit", "AppKit", "WatchKit", "SwiftUI", "Combine", "CloudKit", "SwiftData", "os",
        "CoreGraphics", "CoreLocation", "CoreSpotlight", "MapKit", "WidgetKit", "AppIntents", "Cocoa",
        "ARKit", "AVFoundation", "AVKit", "Accelerate", "AuthenticationServices", "BackgroundTasks", "CallKit",
        "ContactsUI", "CoreAudio", "CoreBluetooth", "CoreImage", "CoreML",
        "CoreMedia", "CoreMotion", "CoreServices", "CoreTelephony", "CoreText", "CoreVideo", "CryptoKit", "EventKit",
        "EventKitUI", "GameKit", "GameplayKit", "HealthKit", "HomeKit", "ImageIO", "Intents", "IntentsUI",
        "JavaScriptCore",
        "LinkPresentation", "LocalAuthentication", "MediaPlayer", "MessageUI", "Metal", "MetalKit",
        "MobileCoreServices",
        "MultipeerConnectivity", "NaturalLanguage", "OSLog", "PDFKit", "PassKit",
        "PencilKit", "Photos", "PhotosUI", "QuartzCore", "QuickLook", "RealityKit", "SafariServices", "SceneKit",
        "Security", "SpriteKit", "StoreKit", "SystemConfiguration", "TipKit",
        "Accounts", "Charts", "Contacts", "Network", "NotificationCenter", "Social", "Speech", "Vision",
        "UniformTypeIdentifiers", "UserNotifications", "UserNotificationsUI", "WatchConnectivity", "WebKit",
        "AVFAudio", "AVRouting", "ActivityKit", "AdServices", "AdSupport", "AddressBook", "AddressBookUI", "AppClip",
        "AppTrackingTransparency", "AssetsLibrary", "AudioToolbox", "AudioUnit", "CarPlay", "Carbon", "ClassKit",
        "ClockKit", "CommonCrypto", "CoreAudioKit", "CoreAudioTypes", "CoreHaptics", "CoreLocationUI", "CoreMIDI",
        "CoreNFC",
        "CoreTransferable", "CreateML", "CryptoTokenKit", "DeviceActivity", "DeviceCheck", "DiskArbitration",
        "ExternalAccessory", "FamilyControls", "FileProvider", "FileProviderUI", "FinderSync", "FoundationModels",
        "GLKit", "GameController", "GroupActivities", "HealthKitUI", "IOBluetooth", "IOKit", "IOSurface",
        "ImageCaptureCore", "MachO", "ManagedSettings", "MediaAccessibility", "MetalPerformanceShaders", "MetricKit",
        "ModelIO", "MusicKit", "NearbyInteraction", "NetworkExtension", "OpenGLES", "PushKit", "QuickLookThumbnailing",
        "QuickLookUI", "ReplayKit", "RoomPlan", "ScreenCaptureKit", "ScriptingBridge", "SensorKit",
        "ServiceManagement", "SharedWithYou", "ShazamKit", "SoundAnalysis", "SwiftUICore", "VideoToolbox", "VisionKit",
        "WeatherKit", "WorkoutKit", "XPC", "simd",
    ]
    private static let presentModules: Set<String> = ["Foundation", "CoreData", "ManagedGraph", "Swift"]

    /// Evaluates a condition.
    ///
    /// - Parameters:
    ///   - condition: The expression after `#if`.
    ///   - system: The system's name in `os(…)`.
    /// - Returns: Whether the condition holds on that system.
    package static func value(of condition: ExprSyntax, system: String = systemName) -> ConditionValue {
        switch condition.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr(let literal):
            return literal.literal.text == "true" ? .yes : .no
        case .tupleExpr(let tuple):
            guard tuple.elements.count == 1, let inner = tuple.elements.first else { return .unknown }
            return value(of: inner.expression, system: system)
        case .prefixOperatorExpr(let negation) where negation.operator.text == "!":
            return !value(of: negation.expression, system: system)
        case .sequenceExpr(let sequence):
            return value(of: Array(sequence.elements), system)
        case .functionCallExpr(let call):
            return value(of: call, system)
        case .declReferenceExpr(let name) where name.baseName.text == "SWIFT_PACKAGE":
            // SwiftPM defines it in each target.
            return .yes
        default:
            return .unknown
        }
    }

    /// Evaluates operands separated by `&&` and `||`; `&&` binds more tightly.
    private static func value(of elements: [ExprSyntax], _ system: String) -> ConditionValue {
        var alternatives: [[ConditionValue]] = [[]]
        for (index, element) in elements.enumerated() {
            if index.isMultiple(of: 2) {
                alternatives[alternatives.count - 1].append(value(of: element, system: system))
            } else {
                switch element.trimmedDescription {
                case "&&": continue
                case "||": alternatives.append([])
                default: return .unknown
                }
            }
        }
        let results = alternatives.map { operands -> ConditionValue in
            if operands.contains(.no) { return .no }
            return operands.contains(.unknown) ? .unknown : .yes
        }
        if results.contains(.yes) { return .yes }
        return results.contains(.unknown) ? .unknown : .no
    }

    private static func value(of call: FunctionCallExprSyntax, _ system: String) -> ConditionValue {
        let name = call.calledExpression.trimmedDescription
        guard let argument = call.arguments.first?.expression.trimmedDescription else { return .unknown }
        switch name {
        case "canImport":
            // A submodule, such as `Darwin.C`, is there if its module is.
            let module = String(argument.prefix { $0 != "." })
            if appleModules.contains(module) { return system == "macOS" ? .yes : .no }
            return presentModules.contains(argument) ? .yes : .unknown
        case "os":
            return argument == system || (argument == "OSX" && system == "macOS") ? .yes : .no
        case "_runtime" where argument == "_ObjC":
            return system == "macOS" ? .yes : .no
        case "targetEnvironment":
            return .no
        default:
            return .unknown
        }
    }

    package static let systemName: String = {
        #if os(Windows)
            "Windows"
        #elseif os(macOS)
            "macOS"
        #elseif os(Android)
            "Android"
        #elseif os(FreeBSD)
            "FreeBSD"
        #else
            "Linux"
        #endif
    }()
}
