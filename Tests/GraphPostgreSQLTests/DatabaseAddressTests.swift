import ExpectationSupport
import GraphPostgreSQL
import Testing

struct DatabaseAddressTests {
    @Test("The driver's own parameters are read, and the rest is left to libpq")
    func parameters() throws {
        let address = try DatabaseAddress(
            "postgres://ann:pw@db1:5433,db2/shop?sslmode=require&schema=big%20one&pool=3&timeout=1.5&readers=a:1,b"
        )
        expectEqual(address.schema, "big one")
        expectEqual(address.poolSize, 3)
        expectEqual(address.timeout, .milliseconds(1_500))
        expectEqual(address.parameters["readers"], "a:1,b")
        expectEqual(address.description, "postgresql://ann@db1:5433,db2/shop?schema=big one")
        expectEqual(
            address.readers.map(\.description),
            [
                "postgresql://ann@a:1/shop?schema=big one", "postgresql://ann@b:5433/shop?schema=big one",
            ]
        )
        expectEqual(address.withDatabase("other").description, "postgresql://ann@db1:5433,db2/other?schema=big one")
    }

    /// The value that is passed to libpq beside the address: the last one of the list; nil if there is none.
    private func value(_ name: String, of address: DatabaseAddress, _ defaults: [String: String] = [:]) -> String? {
        address.connectionParameters(defaults: defaults).last { $0.name == name }?.value
    }

    @Test("A server that acknowledges no data is given up after 30 seconds, and a standby after five")
    func unacknowledgedData() throws {
        let address = try DatabaseAddress("postgresql://h/d?readers=a")
        expectEqual(value("tcp_user_timeout", of: address), "30000")
        expectEqual(value("tcp_user_timeout", of: address.readers[0]), "5000")
        expectEqual(value("connect_timeout", of: address), "10")
        let explicit = try DatabaseAddress("postgresql://h/d?tcp_user_timeout=7000&connect_timeout=3&readers=a")
        for address in [explicit, explicit.readers[0]] {
            expectNil(value("tcp_user_timeout", of: address))
            expectNil(value("connect_timeout", of: address))
            expectEqual(value("dbname", of: address), "postgresql://h/d?tcp_user_timeout=7000&connect_timeout=3")
        }
        // A service file may have them, and would not be asked.
        expectEqual(value("keepalives_idle", of: address), "60")
        expectNil(value("keepalives_idle", of: address, ["service": "shop"]))
        expectNil(value("tcp_user_timeout", of: address, ["service": "shop"]))
        try expectNil(value("tcp_user_timeout", of: DatabaseAddress("postgresql://h/d?service=shop")))
    }

    @Test("A standby has the port of the address unless it is named with one")
    func portsOfReaders() throws {
        func ports(_ text: String) throws -> [String?] {
            try DatabaseAddress(text).readers.map { value("port", of: $0) }
        }
        // libpq takes the one port of the address, or that of its environment.
        try expectEqual(ports("postgresql://h:6000/d?readers=a,b:1"), [nil, "1"])
        try expectEqual(ports("postgresql://h/d?readers=a,[::1],[::1]:2"), [nil, nil, "2"])
        // A list of ports has as many items as there are hosts.
        try expectEqual(
            ports("postgresql:///d?host=a,b,c&port=6000,6001,&readers=b,c,e,a:1"),
            ["6001", "5432", "6000", "1"]
        )
    }

    @Test("A standby is reached at its own host, also if the address or the environment has the primary's IP address")
    func hostsOfReaders() throws {
        let plain = try DatabaseAddress("postgresql://h/d?readers=a")
        expectEqual(value("host", of: plain.readers[0]), "a")
        expectNil(value("hostaddr", of: plain.readers[0]))
        let fixed = try DatabaseAddress("postgresql://h/d?hostaddr=10.0.0.1&readers=a")
        for parameters in [
            fixed.readers[0].connectionParameters(defaults: [:]),
            plain.readers[0].connectionParameters(defaults: ["hostaddr": "10.0.0.1"]),
        ] {
            // An empty item of the list stands for the host at its place.
            expectEqual(parameters.last { $0.name == "host" }?.value, "a,a")
            expectEqual(parameters.last { $0.name == "hostaddr" }?.value, ",")
        }
        expectEqual(fixed.readers[0].description, "postgresql://a/d")
        expectNil(value("hostaddr", of: fixed))
    }

    @Test("The text about an address is an address again: sockets, long IP addresses, services")
    func texts() throws {
        for text in [
            "postgresql://ann@%2Frun%2Fpg:1/d?schema=s", "postgresql://[::1]:1,h:2/d", "postgresql://h/d",
            "postgresql:///?service=shop&schema=s",
        ] {
            try expectEqual(DatabaseAddress(text).description, text)
        }
        let socket = try DatabaseAddress("postgresql:///d?host=/run/pg&port=1")
        expectEqual(socket.description, "postgresql://%2Frun%2Fpg:1/d")
    }

    @Test("Without parameters an address has defaults")
    func defaults() throws {
        let address = try DatabaseAddress("postgresql:///shop")
        expectEqual(address.schema, "public")
        expectEqual(address.poolSize, 16)
        expectEqual(address.timeout, .seconds(30))
        #expect(address.readers.isEmpty)
    }

    @Test(
        "No text about an address contains its password",
        arguments: [
            "postgresql://u:hunter2@h/d", "postgresql://u@h/d?password=hunter2", "postgresql://u:hunter2@h:x/d",
            "postgresql://u:hunter2@h/d?nothing=1", "postgresql://u:hunter2%zz@h/d", "postgresql://u:hunter2@[::1/d",
            "postgresql://u:hunter2@h/d?sslmode", "mysql://u:hunter2@h/d", "postgresql://u:hunter2@h/d?pool=0",
            "postgresql://u:hunter2@h/d?schema=", "postgresql://u:hunter2@127.0.0.1:1/d",
        ]
    )
    func passwords(text: String) {
        do {
            let address = try DatabaseAddress(text)
            #expect(!"\(address)".contains("hunter2"))
            #expect(!String(reflecting: address).contains("hunter2"))
            var dumped = ""
            dump(address, to: &dumped)
            #expect(!dumped.contains("hunter2"))
        } catch {
            #expect(!"\(error)".contains("hunter2"))
            #expect(String(describing: error).contains("the address of the database cannot be read"))
        }
    }

    @Test("An unknown parameter is an error that names those that exist")
    func unknownParameter() throws {
        let error = try #require(postgreSQLError { _ = try DatabaseAddress("postgresql://h/d?poool=3") })
        #expect(error.message.contains("there is no parameter poool"))
        #expect(error.message.contains("schema, pool, timeout, readers"))
        #expect(error.message.contains("sslmode"))
        expectEqual(error.kind, .cannotConnect)
    }
}
