// The response to the buttons beside a job's progress, which cancel the job or dismiss its result.
import Hummingbird
import WebSupport

extension ScreenResponder {
    /// The component of the address, below the application.
    static let jobPath = "-job"

    static func jobAddress(_ application: TableApplication) -> String {
        Address(path: [application.name, jobPath]).text
    }

    func job(_ store: ApplicationStore, _ request: Request) async -> Response {
        switch try? await FormBody.read(request).fields["action"] {
        case "cancel": store.jobs.cancel()
        case "dismiss": store.dismissJob()
        default: break
        }
        // With scripts the browser does not navigate, so return the form's own address.
        let wantsJSON = request.headers[.accept]?.contains("application/json") == true
        return wantsJSON
            ? .json(JSONValue.object([("go", .string(Self.jobAddress(store.application)))]).text)
            : .redirect(to: Address(path: [store.application.name]).text)
    }
}
