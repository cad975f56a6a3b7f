// Tests the messages that Logger and os_log pass to swift-log.
import ApplePlatformShims
import ExpectationSupport
import Foundation
import Logging
import Testing

@Suite("Apple's logging for other platforms")
struct LoggingTests {
    init() { LogRecorder.isSetUp }

    @Test("Levels, subsystem and category reach swift-log")
    func levels() {
        let logger = ApplePlatformShims.Logger(subsystem: "levels", category: "store")
        logger.log("default")
        logger.trace("below the level")
        logger.debug("debug")
        logger.info("info")
        logger.notice("notice")
        logger.warning("warning")
        logger.error("error")
        logger.critical("critical")
        logger.fault("fault")
        logger.log(level: .fault, "fault")
        let entries = LogRecorder.entries(of: "levels")
        expectEqual(
            entries.map(\.text),
            [
                "default", "debug", "info", "notice", "warning", "error", "critical", "fault", "fault",
            ]
        )
        expectEqual(
            entries.map(\.level),
            [.notice, .debug, .info, .notice, .warning, .error, .critical, .critical, .critical]
        )
        #expect(entries.allSatisfy { $0.category == "store" })
    }

    @Test("Strings are hidden unless public, numbers are shown unless private")
    func privacy() {
        let name = "Ada"
        let logger = ApplePlatformShims.Logger(subsystem: "privacy", category: "x")
        logger.info(
            "\(name) \(name, privacy: .public) \(7) \(7, privacy: .private) \(name, privacy: .sensitive) \(true)"
        )
        logger.info("\(name, privacy: .private(mask: .hash))")
        let texts = LogRecorder.entries(of: "privacy").map(\.text)
        expectEqual(texts.first, "<private> Ada 7 <private> <private> true")
        expectEqual(texts.last?.hasPrefix("<mask.hash: '"), true)
    }

    @Test("Numbers and columns are formatted")
    func formats() {
        let logger = ApplePlatformShims.Logger(subsystem: "formats", category: "x")
        logger.info(
            "\(1.5, format: .fixed(precision: 2)) \(255, format: .hex(includePrefix: true)) \(7, format: .decimal(minDigits: 3))"
        )
        logger.info(
            "|\(5, align: .right(columns: 3))|\("a", align: .left(columns: 3), privacy: .public)|\(true, format: .answer)"
        )
        expectEqual(LogRecorder.entries(of: "formats").map(\.text), ["1.50 0xff 007", "|  5|a  |yes"])
    }

    @Test("Values of a message that is not logged are not evaluated")
    func laziness() {
        let logger = ApplePlatformShims.Logger(subsystem: "laziness", category: "x")
        var count = 0
        func read() -> Int {
            count += 1
            return count
        }
        logger.trace("\(read())")
        expectEqual(count, 0)
        logger.info("\(read())")
        expectEqual(count, 1)
    }

    @Test("os_log formats as C does and applies the privacy of each value")
    func formatStrings() {
        let log = OSLog(subsystem: "os_log", category: "y")
        let text = "text"
        os_log("plain", log: log)
        os_log("%{public}@ %@ %d %ld %05.1f %x %%", log: log, type: .error, text, text, 3, 4, 2.25, 255)
        os_log(.debug, log: log, "%{private}d %{public, bool}d %{public}s %u", 1, true as NSNumber, text, UInt8(9))
        os_log(.info, log: log, "\(text, privacy: .public) \(4)")
        os_log("missing %d", log: .disabled, 3)
        let entries = LogRecorder.entries(of: "os_log")
        expectEqual(entries.map(\.text), ["plain", "text <private> 3 4 002.2 ff %", "<private> true text 9", "text 4"])
        expectEqual(entries.map(\.level), [.notice, .error, .debug, .info])
    }
}
