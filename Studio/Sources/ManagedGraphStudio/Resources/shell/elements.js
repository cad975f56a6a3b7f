// Elements, errors and requests, for the shell and for sections. Text is only ever set as text.
"use strict";

/** Makes an element with attributes, and with texts and elements as children. */
export function element(name, attributes = {}, ...children) {
    const result = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined && value !== false) result.setAttribute(key, value === true ? "" : value);
    }
    result.append(...children.filter((child) => child !== null && child !== undefined));
    return result;
}

/** An error of a route, with its reason and its remedy. */
export class StudioError extends Error {
    constructor({ message, reason, remedy, code, place }, status) {
        super(message);
        Object.assign(this, { reason, remedy, code, place, status });
    }
}

/** An error as a note with cause and remedy. */
export function note(error) {
    const box = element("div", { class: "note bad", role: "alert" }, element("strong", {}, error.message));
    if (error.reason) box.append(element("p", {}, error.reason));
    if (error.remedy) box.append(element("p", { class: "remedy" }, error.remedy));
    return box;
}

/** Sends a request and returns its JSON; throws a StudioError. */
export async function request(url, { method, body, signal } = {}) {
    const headers = { Accept: "application/json" };
    const isRaw = body instanceof Blob || body instanceof FormData;
    if (body !== undefined && !isRaw) headers["Content-Type"] = "application/json";
    let response;
    try {
        response = await fetch(url, {
            method: method ?? (body === undefined ? "GET" : "POST"), headers, signal,
            body: body === undefined || isRaw ? body : JSON.stringify(body),
        });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new StudioError({ message: "The studio does not answer.", remedy: "Start it again, and reload this page." }, 0);
    }
    const text = await response.text();
    let value = null;
    try {
        value = text ? JSON.parse(text) : null;
    } catch {
        throw new StudioError({ message: `The studio answered with status ${response.status} and no JSON.` }, response.status);
    }
    if (!response.ok) throw new StudioError(value?.error ?? { message: `Status ${response.status}.` }, response.status);
    return value;
}

/** Says something to readers of the screen. */
export function announce(text) {
    document.getElementById("announcements").textContent = text;
}

const numbers = new Intl.NumberFormat(navigator.languages);

/** A number with separators. */
export function number(value) {
    return numbers.format(value);
}

/** A count with its noun: “1 object”, “2 objects”. */
export function count(value, noun, plural = `${noun}s`) {
    return `${number(value)} ${value === 1 ? noun : plural}`;
}
