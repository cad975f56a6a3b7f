// The context of a request below /studio/api. SourceMiddleware sets the source.
import Foundation
import Hummingbird
import Logging

struct StudioRequestContext: RequestContext {
    struct Source: RequestContextSource {
        let logger: Logger
    }

    var coreContext: CoreRequestContextStorage
    var source: StudioSource

    /// Binary values of objects are sent in requests.
    var maxUploadSize: Int { 64 << 20 }

    init(source: Source) {
        coreContext = CoreRequestContextStorage(source: source)
        self.source = StudioSource(title: "", kind: .model(URL(fileURLWithPath: "/")))
    }
}
