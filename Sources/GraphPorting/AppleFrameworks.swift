// Maps names to the frameworks that only Apple platforms have. Used by AppleOnlyRule and ImportRule. A name that the
// module itself declares is never one of these.
import GraphCodeGeneration

/// Names by framework.
enum AppleFrameworks {
    /// Modules whose imports need a condition: frameworks, and libraries that other platforms have under other names.
    static let modules: Set<String> = PlatformCondition.appleModules.union(["Compression", "SQLite3", "zlib"])

    /// Modules that an import re-exports.
    static let exported: [String: [String]] = [
        "UIKit": ["CoreGraphics", "QuartzCore"], "AppKit": ["CoreGraphics", "QuartzCore"],
        "Cocoa": ["AppKit", "CoreGraphics", "QuartzCore"], "SwiftUI": ["UIKit", "AppKit", "Combine", "CoreGraphics"],
        "MapKit": ["CoreLocation", "UIKit"], "WidgetKit": ["SwiftUI"], "WatchKit": ["UIKit"], "SpriteKit": ["UIKit"],
        "OSLog": ["os"],
    ]

    /// Prefixes of names; an uppercase letter must follow.
    private static let prefixes: [(prefix: String, module: String)] = [
        ("UI", "UIKit"), ("WK", "WebKit"), ("CL", "CoreLocation"), ("MK", "MapKit"), ("CK", "CloudKit"),
        ("AV", "AVFoundation"), ("CA", "QuartzCore"), ("EK", "EventKit"), ("HK", "HealthKit"), ("SK", "StoreKit"),
        ("PH", "Photos"), ("UN", "UserNotifications"), ("CN", "Contacts"), ("GK", "GameKit"), ("SCN", "SceneKit"),
        ("AR", "ARKit"), ("CS", "CoreSpotlight"), ("LA", "LocalAuthentication"), ("MF", "MessageUI"),
        ("CI", "CoreImage"), ("PK", "PassKit"), ("WC", "WatchConnectivity"), ("IN", "Intents"), ("ML", "CoreML"),
        ("SF", "SafariServices"), ("BG", "BackgroundTasks"), ("CM", "CoreMotion"), ("CB", "CoreBluetooth"),
        ("MTK", "MetalKit"), ("MTL", "Metal"), ("PDF", "PDFKit"), ("QL", "QuickLook"),
    ]

    private static let names: [String: Set<String>] = [
        "SwiftUI": [
            "View", "Text", "Image", "Button", "List", "ForEach", "NavigationView", "NavigationStack", "NavigationLink",
            "VStack", "HStack", "ZStack", "Spacer", "State", "StateObject", "ObservedObject", "EnvironmentObject",
            "Environment", "Binding", "FetchRequest", "SectionedFetchRequest", "FetchedResults", "App", "Scene",
            "WindowGroup", "PreviewProvider", "Color", "Font", "ViewModifier", "ViewBuilder", "Form", "Section",
            "Toggle",
            "Picker", "TextField", "LocalizedStringKey", "GeometryReader", "AppStorage", "SceneStorage", "ScenePhase",
            "UIApplicationDelegateAdaptor", "NSApplicationDelegateAdaptor", "EnvironmentKey", "EnvironmentValues",
            "PreferenceKey", "UIViewRepresentable", "UIViewControllerRepresentable", "NSViewRepresentable", "Commands",
            "ButtonStyle", "Shape", "Path", "Alert", "IndexViewStyle", "GestureState", "FocusState", "Namespace",
            "withAnimation", "EditButton", "ToolbarItem", "LazyVGrid", "ScrollView", "AnyView", "Animation",
            "DynamicProperty", "Bindable", "Label", "TabView", "NavigationSplitView", "NavigationPath", "LazyVStack",
            "LazyHStack", "LazyHGrid", "ProgressView", "ContentUnavailableView", "DatePicker", "ColorPicker",
            "SecureField",
            "TextEditor", "Stepper", "Slider", "LinearGradient", "RoundedRectangle", "Capsule", "EdgeInsets",
            "UnitPoint",
            "ButtonRole", "ButtonStyleConfiguration", "LabelStyle", "ToggleStyle", "PrimitiveButtonStyle",
            "CommandGroup",
            "CommandMenu", "DocumentGroup", "FileDocument", "ReferenceFileDocument", "FocusedValueKey", "FocusedValues",
            "ToolbarContent", "EmptyView", "ContentMode", "ColorScheme", "Transaction", "AnyTransition", "AnyShape",
        ],
        "AppKit": [
            "NSView", "NSViewController", "NSWindow", "NSWindowController", "NSApplication", "NSApp", "NSImage",
            "NSColor",
            "NSFont", "NSTableView", "NSOutlineView", "NSMenu", "NSMenuItem", "NSButton", "NSTextField", "NSDocument",
            "NSPersistentDocument", "NSArrayController", "NSTreeController", "NSObjectController", "NSAlert", "NSEvent",
            "NSPasteboard", "NSWorkspace", "NSOpenPanel", "NSSavePanel", "NSStoryboard", "NSScreen", "NSTextView",
            "NSCollectionView", "NSApplicationDelegate", "NSImageView", "NSBezierPath", "NSToolbar", "NSSplitView",
            "NSCollectionViewDiffableDataSource", "NSTableViewDiffableDataSource", "NSDiffableDataSourceSnapshot",
        ],
        "CoreGraphics": [
            "CGColor", "CGContext", "CGImage", "CGPath", "CGMutablePath", "CGGradient", "CGAffineTransform",
        ],
        "CloudKit": [
            "NSPersistentCloudKitContainerOptions", "cloudKitContainerOptions", "initializeCloudKitSchema",
            "NSPersistentCloudKitContainerEvent", "NSPersistentCloudKitContainerEventRequest",
        ],
        "os": [
            "os_signpost", "OSSignposter", "OSSignpostID", "OSLogStore", "OSLogEntry", "OSLogEntryLog", "os_activity",
            "os_proc_available_memory",
        ],
        "CoreSpotlight": ["NSCoreDataCoreSpotlightDelegate"],
        "Accelerate": ["vDSP", "vForce", "BNNS", "vImage_Buffer", "cblas_sdot", "cblas_ddot"],
        "CommonCrypto": [
            "CC_MD5", "CC_MD5_DIGEST_LENGTH", "CC_SHA1", "CC_SHA1_DIGEST_LENGTH", "CC_SHA256",
            "CC_SHA256_DIGEST_LENGTH", "CC_SHA512", "CC_SHA512_DIGEST_LENGTH", "CC_LONG", "CCCrypt", "CCHmac",
        ],
        "Compression": ["compression_encode_buffer", "compression_decode_buffer", "InputFilter", "OutputFilter"],
        "Security": ["SecItemAdd", "SecItemCopyMatching", "SecItemDelete", "SecItemUpdate", "SecRandomCopyBytes"],
        "zlib": ["z_stream", "compress2", "uncompress", "deflate", "inflate", "crc32"],
        "UniformTypeIdentifiers": ["UTType"],
        "Charts": ["ChartDataEntry", "LineChartView", "BarChartView", "PieChartView"],
        "UIKit": [
            "NSLayoutConstraint", "NSLayoutAnchor", "NSTextAttachment", "NSDiffableDataSourceSnapshot",
            "NSDiffableDataSourceSectionSnapshot",
        ],
    ]

    /// UI frameworks: a type that uses one of them is a view, or serves only views.
    static let views: Set<String> = [
        "UIKit", "AppKit", "Cocoa", "SwiftUI", "WatchKit", "WidgetKit", "WebKit", "MapKit", "SpriteKit", "SceneKit",
        "ARKit", "PDFKit", "QuickLook", "PhotosUI", "MessageUI", "SafariServices", "QuartzCore", "CoreGraphics",
        "Charts", "RealityKit", "MetalKit", "Metal",
    ]

    /// Names that belong to Apple's Core Data itself and need no additional import.
    private static let always: Set<String> = ["CloudKit", "CoreSpotlight"]

    /// Names that have a framework's prefix but also exist on other platforms.
    private static let present: Set<String> = [
        "CGFloat", "CGPoint", "CGSize", "CGRect", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "UInt128", "UUID",
        "URL", "CFAbsoluteTimeGetCurrent", "CFTimeInterval", "INT_MAX",
    ]

    /// The imported framework that declares a name.
    ///
    /// - Parameters:
    ///   - name: An identifier.
    ///   - imported: The modules that the file imports, re-exported ones included.
    /// - Returns: The module to test for in a condition; nil for other names.
    static func module(of name: String, imported: Set<String>) -> String? {
        guard !present.contains(name) else { return nil }
        for (module, moduleNames) in names where moduleNames.contains(name) {
            if imported.contains(module) || always.contains(module) { return module }
        }
        for (prefix, module) in prefixes where imported.contains(module) && name.hasPrefix(prefix) {
            let rest = name.dropFirst(prefix.count)
            if rest.count >= 2, let first = rest.first, first.isUppercase { return module }
        }
        return nil
    }

    /// All imported modules, including re-exported ones.
    static func closure(_ modules: Set<String>) -> Set<String> {
        var result = modules
        var waiting = Array(modules)
        while let next = waiting.popLast() {
            for more in exported[next] ?? [] where result.insert(more).inserted { waiting.append(more) }
        }
        return result
    }
}
