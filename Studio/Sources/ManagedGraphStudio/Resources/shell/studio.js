// The shell of the studio: the bar, the command palette, and the section of the current address.
//
// A section's script, ../NAME/NAME.js, exports
//     show({main, sidebar, inspector, source, path, query, api, stream, navigate, command})
// which fills the three elements (the shell empties them beforehand) and returns an object with
//     leave()               ends event streams and timers; the shell removes the content; may return a promise
//     go({path, query})     optional: shows another address of this section, after Back or Forward or a link; without it the
//                           shell calls leave() and show() again
// Its arguments:
//     source                {id, title, kind: "model" | "store" | "container", path, writable: 0 | 1, sections: [name]}
//     path, query           the components of the address below the section, and its URLSearchParams
//     api(path, {method, body, signal})
//                           the JSON of /studio/api/SOURCE/SECTION/path; `body` is sent as JSON, or as it is if it is a Blob
//                           or a FormData; without a method, a request with a body is a POST. Throws a StudioError.
//     stream(path, {NAME(value) {…}})
//                           server-sent events: calls the handler of each event's name with its JSON; returns {close()}
//     navigate(path, query, {replace, section, source})
//                           changes the address; `path` is a text or components, `query` an object or URLSearchParams.
//                           Within the section nothing else happens; another section or source is loaded.
//     command({id, title, kind, keys, run})
//                           adds an entry of the palette until the section is left; `keys` such as "Mod+S" or "/" run it
//                           anywhere (Mod is Ctrl, or Cmd on a Mac)
"use strict";

import { element, note, StudioError, request } from "./elements.js";
import { Palette } from "./palette.js";

export { element, note, StudioError };

const state = JSON.parse(document.getElementById("state").textContent);
let main = document.getElementById("section");
let sidebar = document.getElementById("sidebar");
let inspector = document.getElementById("inspector");
const bar = document.getElementById("bar");
const palette = new Palette(document.getElementById("palette"));

/** The part that is shown: {source, section, view}. */
let current = { source: null, section: null, view: null };
/** The names of entities by source. */
const entities = new Map();
/** Counts the changes of section, so that a script that loads late shows nothing. */
let turn = 0;

/** Parts of an address below /studio. */
function parse(url) {
    const [, , source, section, ...path] = url.pathname.split("/").map(decodeURIComponent);
    return { source, section, path: path.filter(Boolean), query: url.searchParams };
}

function address(source, section, path = [], query = {}) {
    const parts = (Array.isArray(path) ? path : String(path).split("/").filter(Boolean)).map(encodeURIComponent);
    const search = String(query instanceof URLSearchParams ? query : new URLSearchParams(query));
    return `/studio/${[source, section, ...parts].filter(Boolean).join("/")}${search ? `?${search}` : ""}`;
}

// The bar

function drawBar() {
    const { source, section } = current;
    const parts = [];
    const home = element("a", { class: "bar-home", href: "/studio", title: "All sources" });
    home.append(element("img", { src: document.querySelector("link[rel=icon]").href, alt: "Studio" }));
    parts.push(home);
    if (source) {
        parts.push(sidebarButton(), sourceMenu(source));
        const tabs = element("nav", { class: "tabs", "aria-label": "Sections" });
        for (const { name, title } of state.sections) {
            if (!source.sections.includes(name)) continue;
            const link = element("a", { href: address(source.id, name) }, title);
            if (name === section) link.setAttribute("aria-current", "page");
            tabs.append(link);
        }
        parts.push(tabs);
    }
    const end = element("div", { class: "bar-end" });
    const search = element("button", { type: "button", class: "bar-search", "aria-label": "Search everything" });
    search.append(element("span", {}, "Search everything"), element("kbd", {}, "Ctrl K"));
    search.addEventListener("click", () => palette.open());
    end.append(element("div", { class: "bar-place", id: "bar-place" }), search);
    if (state.home) end.append(element("a", { class: "button plain", href: state.home.address }, state.home.title));
    parts.push(end);
    document.title = source ? `${source.title} – ${state.sections.find(({ name }) => name === section)?.title ?? "Studio"}` : "Studio";
    bar.replaceChildren(element("h1", { class: "hidden" }, document.title), ...parts);
}

/** Shows the sidebar as a drawer on narrow screens, and hides it on wide ones. */
function sidebarButton() {
    const button = element("button", { type: "button", class: "icon-button", id: "sidebar-button", "aria-label": "Sidebar", title: "Sidebar" });
    button.innerHTML = '<svg viewBox="0 0 18 18" aria-hidden="true"><rect x="2" y="3" width="14" height="12" rx="2"/><path d="M7 3v12"/></svg>';
    button.addEventListener("click", () => {
        const layout = document.getElementById("layout");
        layout.classList.toggle(matchMedia("(max-width: 899.98px)").matches ? "shows-sidebar" : "no-sidebar");
    });
    return button;
}

function sourceMenu(source) {
    const box = element("div", { class: "bar-source" });
    const button = element("button", { type: "button", "aria-haspopup": "true", "aria-expanded": "false", title: source.path });
    button.append(element("span", { class: "name" }, source.title), element("span", { class: "chevron", "aria-hidden": "true" }));
    const menu = element("div", { class: "menu", hidden: "" });
    const list = element("ul", { class: "list" });
    for (const other of state.sources) {
        const section = other.sections.includes(current.section) ? current.section : other.sections[0];
        const link = element("a", { href: address(other.id, section) });
        link.append(element("span", { class: "name" }, other.title), element("span", { class: "badge" }, kindOf(other)));
        if (other.path) link.append(element("span", { class: "where" }, other.path));
        if (other.id === source.id) link.setAttribute("aria-current", "true");
        list.append(element("li", {}, link));
    }
    menu.append(list);
    const show = (isShown) => {
        menu.hidden = !isShown;
        button.setAttribute("aria-expanded", String(isShown));
    };
    button.addEventListener("click", () => show(menu.hidden));
    box.addEventListener("focusout", (event) => box.contains(event.relatedTarget) || show(false));
    box.addEventListener("keydown", (event) => {
        if (event.key === "Escape" && !menu.hidden) {
            event.stopPropagation();
            show(false);
            button.focus();
        } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            show(true);
            const links = [...menu.querySelectorAll("a")];
            const place = links.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
            links[(place + links.length) % links.length].focus();
        }
    });
    list.addEventListener("click", () => show(false));
    box.append(button, menu);
    return box;
}

export function kindOf(source) {
    if (source.kind === "model") return "model";
    if (source.kind === "container") return "running";
    return source.writable ? "store" : "store, read-only";
}

// Sections

function showSources() {
    const cards = element("div", { class: "cards" });
    for (const source of state.sources) {
        const card = element("a", { class: "card", href: address(source.id, source.sections[0]) });
        const head = element("div", { class: "spread" }, element("h2", {}, source.title));
        head.append(element("span", { class: `badge push ${source.kind === "container" ? "good" : ""}` }, kindOf(source)));
        card.append(head, element("p", { class: "secondary" }, source.path));
        cards.append(card);
    }
    const page = element("div", { class: "page" }, element("h1", {}, "Models and stores"), cards);
    if (!state.sources.length) {
        page.replaceChildren(
            element("div", { class: "empty" }, element("h1", {}, "Nothing to show"), element("p", {}, "Start the studio with models or stores:"), element("pre", {}, "managedgraph-studio Shop.xcdatamodeld Shop.sqlite"))
        );
    }
    if (state.opens) page.append(opening());
    main.append(page);
}

/** The form that opens a further model or store. Its text is sent in the body of a request: an address may have a password. */
function opening() {
    const place = element("input", { id: "open-place", class: "input mono", type: "text", required: true, autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-describedby": "open-help" });
    const go = element("button", { class: "button primary", id: "open-go" }, "Open");
    const answer = element("div", { id: "open-answer", "aria-live": "polite" });
    const form = element(
        "form", { class: "card open-form", id: "open-form" },
        element("div", { class: "field" }, element("label", { for: "open-place" }, "Open a model, a store or a database"), element("div", { class: "open-row" }, place, go)),
        element("p", { class: "secondary", id: "open-help" }, "A path on this computer, or an address such as ", element("code", {}, "postgresql://user@host:5432/database?schema=public"), ". Passwords belong into the file .pgpass; one in the address works, and is not shown again."),
        answer
    );
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        go.disabled = true;
        answer.replaceChildren(element("p", { class: "secondary" }, "Opening…"));
        try {
            const { id } = await request("/studio/api/open", { body: { place: place.value } });
            place.value = "";
            location.assign(address(id));
        } catch (error) {
            answer.replaceChildren(note(error));
            place.focus();
        } finally {
            go.disabled = false;
        }
    });
    return form;
}

/** Shows the section of an address; `from` says how it was reached. */
async function show(url) {
    const target = parse(url);
    const source = state.sources.find(({ id }) => id === target.source) ?? null;
    const isSame = current.view && current.source === source && current.section === target.section;
    if (isSame && current.view.go) return current.view.go({ path: target.path, query: target.query });
    const number = ++turn;
    const old = current;
    current = { source, section: target.section, view: null };
    try {
        await old.view?.leave?.();
    } catch (error) {
        console.error(error);
    }
    if (number !== turn) return;
    palette.clear();
    addCommands();
    // Each turn has elements of its own: a section that was left while it waited for its data draws into the former ones.
    [main, sidebar, inspector] = [main, sidebar, inspector].map((part) => {
        const empty = part.cloneNode(false);
        empty.removeAttribute("class");
        part.replaceWith(empty);
        return empty;
    });
    document.getElementById("layout").className = "layout";
    drawBar();
    if (!source) return showSources();
    addEntities(source, number);
    const name = target.section;
    if (!name) return main.append(element("div", { class: "empty" }, element("h1", {}, "Nothing to show"), element("p", {}, "No section of the studio shows this source.")));
    try {
        const module = await import(`../${name}/${name}.js`);
        if (number !== turn) return;
        const view = await module.show({
            main, sidebar, inspector, source, path: target.path, query: target.query, navigate,
            api: (path, options) => request(`/studio/api/${source.id}/${name}/${path}`, options),
            stream: (path, handlers) => stream(`/studio/api/${source.id}/${name}/${path}`, handlers),
            command: (entry) => palette.add(entry),
        });
        if (number === turn) current.view = view;
        else view?.leave?.();
    } catch (error) {
        if (number === turn) main.replaceChildren(element("div", { class: "page" }, note(error)));
    }
}

/** Opens a stream of server-sent events with JSON; the browser connects again by itself. */
function stream(url, handlers) {
    let source, retry;
    const connect = () => {
        source = new EventSource(url);
        for (const [name, handle] of Object.entries(handlers)) {
            if (name !== "error") source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
        }
        source.addEventListener("error", () => {
            handlers.error?.();
            // Closed for good, as after an error status; otherwise the browser tries again.
            if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, 2000);
        });
    };
    connect();
    return {
        close() {
            clearTimeout(retry);
            source.close();
        },
    };
}

function navigate(path = [], query = {}, { replace = false, section = current.section, source = current.source?.id } = {}) {
    const url = new URL(address(source, section, path, query), location.href);
    if (url.href !== location.href) history[replace ? "replaceState" : "pushState"](null, "", url);
    if (section !== current.section || source !== current.source?.id) show(url);
}

addEventListener("popstate", () => show(new URL(location.href)));

document.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href);
    const isPage = url.origin === location.origin && /^\/studio(\/|$)/.test(url.pathname) && !/^\/studio\/(api|assets)\//.test(url.pathname);
    if (!isPage || link.target || link.hasAttribute("download")) return;
    if (url.hash && url.pathname === location.pathname) return;
    event.preventDefault();
    document.getElementById("layout").classList.remove("shows-sidebar");
    open(url.href);
});

function addCommands() {
    for (const source of state.sources) {
        palette.add({ id: `source ${source.id}`, title: source.title, kind: kindOf(source), run: () => navigate([], {}, { source: source.id, section: source.sections[0] ?? "" }) });
    }
    const { source } = current;
    if (!source) return;
    for (const { name, title } of state.sections) {
        if (source.sections.includes(name)) {
            palette.add({ id: `section ${name}`, title, kind: "section", run: () => navigate([], {}, { section: name }) });
        }
    }
}

/** Adds the entities of a source to the palette, once they are known; they open its rows, or else its model. */
async function addEntities(source, number) {
    const section = ["data", "model"].find((name) => source.sections.includes(name));
    if (!section) return;
    try {
        entities.set(source.id, entities.get(source.id) ?? (await request(`/studio/api/${source.id}/about`)).entities);
    } catch {
        // The section shows why the source cannot be read.
        return;
    }
    if (number !== turn) return;
    for (const name of entities.get(source.id)) {
        palette.add({ id: `entity ${name}`, title: name, kind: "entity", run: () => open(address(source.id, section, [name])) });
    }
}

/** Goes to an address of the studio, as a link does. */
function open(path) {
    const url = new URL(path, location.href);
    if (url.href !== location.href) history.pushState(null, "", url);
    return show(url);
}

addEventListener("keydown", (event) => palette.take(event));

show(new URL(location.href));
