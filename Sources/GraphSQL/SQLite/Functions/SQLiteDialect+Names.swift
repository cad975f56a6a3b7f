// The names of the functions and collations that SQLite is given. Used by the dialect, which writes them, and by SQLFunctions,
// which defines them.

extension SQLiteDialect {
    /// The sum of numbers that may be integers; the driver defines it.
    package static let sumFunction: StaticString = "MGSum"

    static func name(of function: DialectFunction) -> StaticString {
        switch function {
        case .modulus: "MGModulus"
        case .power: "MGPower"
        case .squareRoot: "MGSquareRoot"
        case .log: "MGLog"
        case .naturalLog: "MGNaturalLog"
        case .exponential: "MGExponential"
        case .floor: "MGFloor"
        case .ceiling: "MGCeiling"
        case .truncate: "MGTruncate"
        case .absolute: "MGAbsolute"
        case .random: "MGRandom"
        case .randomBelow: "MGRandomBelow"
        case .uppercase: "MGUppercase"
        case .lowercase: "MGLowercase"
        case .canonical: "MGCanonical"
        case .length: "MGLength"
        // SQLite's own.
        case .byteCount: "LENGTH"
        case .text: "MGText"
        case .key: "MGKey"
        }
    }

    static func name(of comparison: TextComparison) -> StaticString {
        switch comparison {
        case .contains: "MGContains"
        case .beginsWith: "MGBeginsWith"
        case .endsWith: "MGEndsWith"
        case .like: "MGLike"
        case .matches: "MGMatches"
        case .equal: "MGEqual"
        case .order: "MGCompare"
        }
    }

    static func name(of statistic: DialectStatistic) -> StaticString {
        switch statistic {
        case .median: "MGMedian"
        case .deviation: "MGDeviation"
        }
    }
}
