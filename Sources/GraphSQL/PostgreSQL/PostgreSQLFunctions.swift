// The functions that translated statements call and PostgreSQL lacks. Each gives the evaluator's result, and none raises
// an error: if PostgreSQL's own operators would, the result is infinite or NULL, as in memory. An engine installs
// them in the store's schema when it makes or opens a store; they need no extension and no rights but to create them.
// Functions of texts are in PostgreSQLFunctions+Texts.

/// The functions of a store in PostgreSQL.
package struct PostgreSQLFunctions {
    /// Raised whenever a function changes, also by another version of Unicode; a store that has it needs none replaced.
    ///
    /// Indexes on folded texts must be built again if a fold changes.
    package static let version = 2
    /// The beginning of all functions' names.
    static let prefix = "mg_"

    /// The names of all functions, without those of aggregates.
    package static let names = [
        "add", "characters", "decimal", "deviation", "divide", "exact", "exp", "fold", "fold_accents", "fold_case",
        "integer", "length", "like", "ln", "log", "lower", "median", "modulus", "multiply", "pattern", "power",
        "quotient", "random", "real", "shift", "shift_back", "sqrt", "text", "time", "upper",
    ]
    .map { PostgreSQLFunctions.prefix + $0 }

    private let dialect: PostgreSQLDialect

    /// The functions for the schema that a dialect names.
    package init(_ dialect: PostgreSQLDialect) { self.dialect = dialect }

    /// Creates or replaces all functions, in an order in which each finds those that it calls.
    package var statements: [String] { numbers + statistics + texts }

    /// The volatility of a function.
    enum Volatility: String {
        case immutable = "IMMUTABLE STRICT"
        case stable = "STABLE STRICT"
        case volatile = "VOLATILE"
    }

    /// A function's name with its schema.
    func name(_ function: String) -> String { dialect.table(Self.prefix + function) }

    /// A function in PostgreSQL's procedural language, which is a part of each database.
    func function(
        _ name: String,
        _ parameters: String,
        returns type: String,
        is volatility: Volatility = .immutable,
        variables: [String] = [],
        _ body: String
    ) -> String {
        let declared = variables.isEmpty ? "" : "DECLARE \(variables.joined(separator: "; "));\n"
        return """
            CREATE OR REPLACE FUNCTION \(self.name(name))(\(parameters)) RETURNS \(type)
            LANGUAGE plpgsql \(volatility.rawValue) PARALLEL SAFE AS $function$
            \(declared)BEGIN
            \(body)
            END $function$
            """
    }

    // MARK: Numbers

    private var numbers: [String] {
        conversions + bits + operations + powers + [
            function(
                "random",
                "below bigint",
                returns: "bigint",
                is: .volatile,
                "RETURN CASE WHEN below > 0 THEN CAST(floor(random() * below) AS bigint) ELSE 0 END;"
            )
        ]
    }

    private var conversions: [String] {
        [
            // Seconds since 2001 as a time; before and after PostgreSQL's calendar all times are one.
            function(
                "time",
                "x double precision",
                returns: "timestamptz",
                is: .stable,
                """
                IF x = 'NaN' THEN RETURN NULL; END IF;
                RETURN timestamptz '2001-01-01 00:00:00+00'
                    + CAST(round(least(greatest(x, -2e11), 9.2e12) * 1e6) AS bigint) * interval '1 microsecond';
                """
            ),
            // A real number by its shortest digits, as decimals compare with it.
            function(
                "decimal",
                "x double precision",
                returns: "numeric",
                """
                IF x = 'NaN' THEN RETURN NULL; END IF;
                IF abs(x) = 'Infinity' THEN RETURN sign(x)::integer * 1e400; END IF;
                RETURN CAST(CAST(x AS text) AS numeric);
                """
            ),
            // A decimal as a real number, infinite if it is above the greatest one, as infinite numbers are as decimals.
            function(
                "real",
                "x numeric",
                returns: "double precision",
                """
                IF abs(x) >= 1.7976931348623159e308 THEN RETURN sign(x) * 'Infinity'::double precision; END IF;
                RETURN CAST(x AS double precision);
                """
            ),
            // A real number by its value, as integers compare with it.
            function(
                "exact",
                "x double precision",
                returns: "numeric",
                """
                IF x = 'NaN' THEN RETURN NULL; END IF;
                IF x = 'Infinity' THEN RETURN 1e400; END IF;
                IF x = '-Infinity' THEN RETURN -1e400; END IF;
                IF abs(x) >= 9e18 THEN
                    RETURN CASE WHEN abs(x) < 9.223372036854775e18 THEN CAST(CAST(x AS bigint) AS numeric)
                        ELSE CAST(CAST(x AS text) AS numeric) END;
                END IF;
                RETURN CAST(CAST(trunc(x) AS bigint) AS numeric) + CAST(CAST(x - trunc(x) AS text) AS numeric);
                """
            ),
            // The text that the language makes of a real number.
            function(
                "text",
                "x double precision",
                returns: "text",
                """
                IF x = 'Infinity' THEN RETURN 'inf'; END IF;
                IF x = '-Infinity' THEN RETURN '-inf'; END IF;
                IF abs(x) < 9.2e18 AND x = trunc(x) THEN RETURN CAST(CAST(x AS bigint) AS text); END IF;
                IF abs(x) >= 1e15 AND abs(x) < 1e16 THEN RETURN CAST(CAST(CAST(x AS text) AS numeric) AS text); END IF;
                RETURN CAST(x AS text);
                """
            ),
        ]
    }

    private var bits: [String] {
        [
            function(
                "integer",
                "x numeric",
                returns: "bigint",
                """
                IF trunc(x) BETWEEN -9223372036854775808 AND 9223372036854775807 THEN RETURN CAST(trunc(x) AS bigint); END IF;
                RETURN NULL;
                """
            ),
            function(
                "integer",
                "x double precision",
                returns: "bigint",
                """
                IF x >= -9223372036854775808 AND x < 9223372036854775807 THEN RETURN CAST(trunc(x) AS bigint); END IF;
                RETURN NULL;
                """
            ),
            function(
                "shift",
                "x bigint, places bigint",
                returns: "bigint",
                """
                IF places >= 64 THEN RETURN 0; END IF;
                IF places >= 0 THEN RETURN x << CAST(places AS integer); END IF;
                RETURN x >> CAST(least(-(places + 1), 62) AS integer) >> 1;
                """
            ),
            function(
                "shift_back",
                "x bigint, places bigint",
                returns: "bigint",
                """
                IF places >= 64 THEN RETURN x >> 63; END IF;
                IF places >= 0 THEN RETURN x >> CAST(places AS integer); END IF;
                IF places <= -64 THEN RETURN 0; END IF;
                RETURN x << CAST(-places AS integer);
                """
            ),
        ]
    }

    private var operations: [String] {
        [
            // Sums above the greatest number are infinite; a sum that is not a number is NULL.
            function(
                "add",
                "x double precision, y double precision",
                returns: "double precision",
                variables: ["half double precision"],
                """
                IF abs(x) < 8e307 AND abs(y) < 8e307 THEN RETURN x + y; END IF;
                IF abs(x) = 'Infinity' OR abs(y) = 'Infinity' OR x = 'NaN' OR y = 'NaN' THEN
                    RETURN NULLIF(x + y, 'NaN');
                END IF;
                IF abs(x) < 1e290 OR abs(y) < 1e290 OR sign(x) <> sign(y) THEN RETURN x + y; END IF;
                half := x * 0.5 + y * 0.5;
                IF abs(half) >= 8.98846567431158e307 THEN RETURN sign(half) * 'Infinity'::double precision; END IF;
                RETURN x + y;
                """
            ),
            function(
                "multiply",
                "x double precision, y double precision",
                returns: "double precision",
                variables: ["size double precision"],
                """
                IF abs(x) < 1e150 AND abs(y) < 1e150 AND abs(x) > 1e-150 AND abs(y) > 1e-150 THEN RETURN x * y; END IF;
                IF x = 0 OR y = 0 OR abs(x) >= 'Infinity' OR abs(y) >= 'Infinity' THEN RETURN NULLIF(x * y, 'NaN'); END IF;
                size := ln(abs(x)) + ln(abs(y));
                IF size > 709.8 OR (size > 709.7 AND abs(x * 0.25 * y) >= 4.49423283715579e307) THEN
                    RETURN sign(x) * sign(y) * 'Infinity'::double precision;
                END IF;
                IF size < -745.2 OR (size < -744 AND abs(x * 1e30 * y) <= 2.4703282292062327e-294) THEN RETURN 0; END IF;
                RETURN x * y;
                """
            ),
            function(
                "divide",
                "x double precision, y double precision",
                returns: "double precision",
                variables: ["size double precision"],
                """
                IF y = 0 THEN RETURN NULL; END IF;
                IF abs(x) < 1e150 AND abs(y) < 1e150 AND abs(x) > 1e-150 AND abs(y) > 1e-150 THEN RETURN x / y; END IF;
                IF x = 0 OR abs(x) >= 'Infinity' THEN RETURN NULLIF(x / y, 'NaN'); END IF;
                IF abs(y) = 'Infinity' THEN RETURN 0; END IF;
                IF y = 'NaN' THEN RETURN NULL; END IF;
                size := ln(abs(x)) - ln(abs(y));
                IF size > 709.8 OR (size > 709.7 AND abs(x * 0.25 / y) >= 4.49423283715579e307) THEN
                    RETURN sign(x) * sign(y) * 'Infinity'::double precision;
                END IF;
                IF size < -745.2 OR (size < -744 AND abs(x * 1e30 / y) <= 2.4703282292062327e-294) THEN RETURN 0; END IF;
                RETURN x / y;
                """
            ),
            // A quotient with as many digits as the language's decimals have.
            function(
                "quotient",
                "x numeric, y numeric",
                returns: "numeric",
                "RETURN x * 1.00000000000000000000000000000000000000 / NULLIF(y, 0);"
            ),
            // The rest of a division towards 0, exact: subtracts the divisor's greatest multiples by powers of two.
            function(
                "modulus",
                "x double precision, y double precision",
                returns: "double precision",
                variables: ["rest double precision", "part double precision"],
                """
                IF y = 0 OR x = 'NaN' OR y = 'NaN' OR abs(x) = 'Infinity' THEN RETURN NULL; END IF;
                rest := abs(x);
                part := abs(y);
                WHILE part <= rest - part LOOP part := part * 2; END LOOP;
                LOOP
                    IF rest >= part THEN rest := rest - part; END IF;
                    EXIT WHEN part <= abs(y);
                    part := part * 0.5;
                END LOOP;
                RETURN CASE WHEN x < 0 THEN -rest ELSE rest END;
                """
            ),
        ]
    }

    private var powers: [String] {
        [
            function(
                "power",
                "x double precision, y double precision",
                returns: "double precision",
                variables: ["size double precision", "sign integer := 1"],
                """
                IF y = 0 OR x = 1 THEN RETURN 1; END IF;
                IF y = 1 THEN RETURN NULLIF(x, 'NaN'); END IF;
                IF x = 'NaN' OR y = 'NaN' THEN RETURN NULL; END IF;
                IF abs(y) = 'Infinity' THEN
                    IF abs(x) = 1 THEN RETURN 1; END IF;
                    RETURN CASE WHEN (abs(x) > 1) = (y > 0) THEN 'Infinity'::double precision ELSE 0 END;
                END IF;
                IF x < 0 THEN
                    IF y <> trunc(y) THEN
                        RETURN CASE WHEN x > '-Infinity' THEN NULL WHEN y > 0 THEN 'Infinity'::double precision ELSE 0 END;
                    END IF;
                    IF abs(y) < 1e16 AND mod(CAST(y AS bigint), 2) <> 0 THEN sign := -1; END IF;
                END IF;
                IF x = 0 THEN
                    IF mod(CAST(least(abs(y), 1e16) AS bigint), 2) = 1 AND y = trunc(y) AND CAST(x AS text) = '-0' THEN sign := -1; END IF;
                    RETURN CASE WHEN y > 0 THEN 0 ELSE sign * 'Infinity'::double precision END;
                END IF;
                IF abs(x) = 'Infinity' THEN
                    RETURN CASE WHEN y > 0 THEN sign * 'Infinity'::double precision ELSE 0 END;
                END IF;
                IF abs(ln(abs(x))) < 1e150 AND abs(y) < 1e150 THEN size := y * ln(abs(x));
                ELSE size := sign(y) * sign(ln(abs(x))) * 1e150; END IF;
                IF size > 709.7827 THEN
                    IF size > 709.79 THEN RETURN sign * 'Infinity'::double precision; END IF;
                    RETURN sign * \(name("multiply"))(power(abs(x), y * 0.5), power(abs(x), y * 0.5));
                END IF;
                IF size < -745 THEN RETURN 0; END IF;
                RETURN power(x, y);
                """
            ),
            function(
                "sqrt",
                "x double precision",
                returns: "double precision",
                "IF x >= 0 AND x < 'NaN' THEN RETURN sqrt(x); END IF; RETURN NULL;"
            ),
            function(
                "log",
                "x double precision",
                returns: "double precision",
                "IF x > 0 AND x < 'NaN' THEN RETURN log(x); END IF; RETURN NULL;"
            ),
            function(
                "ln",
                "x double precision",
                returns: "double precision",
                "IF x > 0 AND x < 'NaN' THEN RETURN ln(x); END IF; RETURN NULL;"
            ),
            function(
                "exp",
                "x double precision",
                returns: "double precision",
                """
                IF x = 'NaN' THEN RETURN NULL; END IF;
                IF x > 709.782712893384 THEN RETURN 'Infinity'; END IF;
                IF x < -745.13 THEN RETURN 0; END IF;
                RETURN exp(x);
                """
            ),
        ]
    }

    // MARK: Statistics

    private var statistics: [String] {
        [
            // A sum of real numbers, infinite if it is above the greatest.
            """
            CREATE OR REPLACE AGGREGATE \(name("sum"))(double precision) (
                SFUNC = \(name("add")), STYPE = double precision, COMBINEFUNC = \(name("add")), PARALLEL = SAFE
            )
            """,
            function(
                "median",
                "numbers double precision[]",
                returns: "double precision",
                variables: ["sorted double precision[]", "middle integer"],
                """
                sorted := ARRAY(SELECT x FROM unnest(numbers) AS part(x) WHERE x IS NOT NULL ORDER BY x);
                middle := cardinality(sorted) / 2;
                IF cardinality(sorted) = 0 THEN RETURN NULL; END IF;
                IF mod(cardinality(sorted), 2) = 1 THEN RETURN sorted[middle + 1]; END IF;
                RETURN \(name("divide"))(\(name("add"))(sorted[middle], sorted[middle + 1]), 2);
                """
            ),
            // The deviation of a whole population.
            function(
                "deviation",
                "numbers double precision[]",
                returns: "double precision",
                variables: [
                    "number double precision", "total double precision := 0", "mean double precision",
                    "many integer := 0",
                ],
                """
                FOREACH number IN ARRAY numbers LOOP
                    IF number IS NOT NULL THEN
                        total := \(name("add"))(total, number);
                        many := many + 1;
                    END IF;
                END LOOP;
                IF many = 0 THEN RETURN NULL; END IF;
                mean := total / many;
                total := 0;
                FOREACH number IN ARRAY numbers LOOP
                    IF number IS NOT NULL THEN
                        number := \(name("add"))(number, -mean);
                        total := \(name("add"))(total, \(name("multiply"))(number, number));
                    END IF;
                END LOOP;
                RETURN sqrt(total / many);
                """
            ),
        ]
    }
}
