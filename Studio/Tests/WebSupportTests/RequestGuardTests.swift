import HTTPTypes
import Testing
import WebSupport

struct RequestGuardTests {
    private func request(
        _ method: HTTPRequest.Method = .get,
        host: String = "127.0.0.1:8080",
        _ fields: [(HTTPField.Name?, String)] = []
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, scheme: "http", authority: host, path: "/")
        for case (let name?, let value) in fields { request.headerFields[name] = value }
        return request
    }

    @Test func admitsTheLoopbackInterfaceUnderItsNames() {
        for host in ["127.0.0.1", "127.0.0.1:80", "localhost:8080", "LOCALHOST", "[::1]:8080"] {
            #expect(RequestGuard().refusal(request(host: host)) == nil)
        }
    }

    @Test func refusesOtherNamesOfTheServer() {
        for host in ["evil.example", "evil.example:8080", "", "127.0.0.1.evil.example"] {
            #expect(RequestGuard().refusal(request(host: host)) != nil)
        }
    }

    @Test func admitsFurtherHostsAndAnyHostIfConfigured() {
        #expect(RequestGuard(hosts: ["10.0.0.7"]).refusal(request(host: "10.0.0.7:8082")) == nil)
        #expect(RequestGuard(hosts: ["10.0.0.7"]).refusal(request(host: "10.0.0.8:8082")) != nil)
        #expect(RequestGuard(hosts: nil).refusal(request(host: "10.0.0.8:8082")) == nil)
    }

    @Test func refusesChangesFromOtherOriginsAndSites() {
        let site = HTTPField.Name("Sec-Fetch-Site")
        #expect(RequestGuard().refusal(request(.post, [(.origin, "http://evil.example")])) != nil)
        #expect(RequestGuard().refusal(request(.post, [(.origin, "http://127.0.0.1:9090")])) != nil)
        #expect(RequestGuard().refusal(request(.delete, [(site, "cross-site")])) != nil)
        #expect(
            RequestGuard().refusal(request(.post, [(.origin, "http://127.0.0.1:8080"), (site, "same-origin")])) == nil
        )
    }

    @Test func admitsTheSecureOriginOfItsOwnHostOnly() {
        let anyHost = RequestGuard(hosts: nil)
        #expect(anyHost.refusal(request(.post, host: "shop.example", [(.origin, "https://shop.example")])) == nil)
        #expect(anyHost.refusal(request(.post, host: "shop.example", [(.origin, "https://evil.example")])) != nil)
        #expect(anyHost.refusal(request(.post, host: "shop.example", [(.origin, "https://shop.example:81")])) != nil)
    }
}
