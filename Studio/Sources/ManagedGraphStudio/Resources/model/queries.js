// The query part of requests. The server reads a plus sign as itself, so spaces are written as %20.
"use strict";

/** The text of names and values after the question mark. */
export function queryText(values) {
    return Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
}
