// The stores of WriterKills: files and databases.

/// A store that the killed processes write, and its checks.
protocol KilledStore {
    /// A path or the address of a database.
    var address: String { get }
    /// Waits until everything that a killed process has started is over.
    func settle() throws
    /// The last step of a writer in the history, and everything that is wrong in the rows.
    func check(_ writer: Int) throws -> (last: Int, violations: [String])
    /// Everything that is wrong after the last process has ended.
    func problems() throws -> [String]
    /// The authors of all transactions in the order of their numbers.
    func authors() throws -> [String]
}

extension KilledStore {
    func startWriter(_ writer: Int, from first: Int, seed: Int) throws -> SharedStoreProcess {
        try SharedStoreProcess(["write", address, "\(writer)", "\(first)", "\(seed)"])
    }
}
