// The desktop layout from 900 px on: the list at the left, and the screen that one of its rows opens in a frame beside
// it. The address names both: /Tasks#/Tasks/task/Task-p3. Narrower windows show one screen at a time.
"use strict";

class Split {
    static wide = matchMedia("(min-width: 900px)");

    /** The part of the address after # if it names a screen of the application, or null. */
    static detail(application) {
        const text = location.hash.slice(1);
        const isInside = text.startsWith(`${application}/`) && new URL(text, location).origin === location.origin;
        return isInside ? text : null;
    }

    constructor(pane) {
        this.pane = pane;
        this.hint = pane.querySelector(".pane-hint");
        this.application = pane.dataset.application;
        this.title = document.title;
        document.addEventListener("click", (event) => this.click(event));
        document.addEventListener("keydown", (event) => this.key(event));
        addEventListener("hashchange", () => this.showAddress());
        Split.wide.addEventListener("change", () => this.showAddress());
        new MutationObserver(() => this.mark()).observe(document.getElementById("table"), { childList: true, subtree: true });
        this.showAddress();
    }

    /** Shows the screen that the address names: beside the list, or alone in a narrow window. */
    showAddress() {
        const detail = Split.detail(this.application);
        if (!Split.wide.matches) {
            if (detail) location.replace(detail);
        } else if (!detail) {
            this.close();
        } else if (detail !== this.shown) {
            this.open(detail);
        }
    }

    /** Opens a screen of the application beside the list; returns false if the window is narrow or it is elsewhere. */
    open(address, takesFocus = false) {
        const url = new URL(address, location);
        if (!Split.wide.matches || url.origin !== location.origin) return false;
        if (!url.pathname.startsWith(`${this.application}/`) || url.pathname === location.pathname) return false;
        this.takesFocus = takesFocus;
        if (this.frame) {
            this.frame.contentWindow.location.assign(url);
            return true;
        }
        const frame = document.createElement("iframe");
        frame.title = "Detail";
        frame.addEventListener("load", () => this.loaded());
        frame.src = url;
        this.frame = frame;
        this.hint.hidden = true;
        this.pane.append(frame);
        return true;
    }

    loaded() {
        const inside = this.frame?.contentWindow.location;
        if (!inside?.pathname || inside.protocol === "about:") return;
        if (inside.pathname === location.pathname) {
            // A form has returned to its list.
            this.close();
            this.focusList();
        } else if (!inside.pathname.startsWith(`${this.application}/`)) {
            location.assign(inside.href);
        } else {
            this.shown = inside.pathname + inside.search;
            this.name(this.shown);
            document.title = `${this.frame.contentDocument.title} – ${this.title}`;
            this.frame.title = this.frame.contentDocument.title;
            this.mark();
            if (this.takesFocus) this.focusPane();
            this.takesFocus = false;
        }
    }

    close() {
        this.frame?.remove();
        this.frame = null;
        this.shown = null;
        this.hint.hidden = false;
        document.title = this.title;
        if (Split.detail(this.application)) this.name("");
        this.mark();
    }

    /** Sets the part of the address after #, without a new entry of the history. */
    name(detail) {
        const address = location.pathname + location.search + (detail && `#${detail}`);
        history.replaceState(history.state, "", address);
        dispatchEvent(new CustomEvent("pane"));
    }

    /** Marks the row whose screen, or a screen below it, is shown. */
    mark() {
        const path = this.shown && new URL(this.shown, location).pathname;
        for (const row of document.querySelectorAll("#table li.row")) {
            const isCurrent = this.links(row).some(({ pathname }) => path === pathname || path?.startsWith(`${pathname}/`));
            if (row.classList.contains("current") === isCurrent) continue;
            row.classList.toggle("current", isCurrent);
            const link = row.querySelector("a.cell");
            if (isCurrent) link?.setAttribute("aria-current", "true");
            else link?.removeAttribute("aria-current");
        }
    }

    links(row) {
        return [...row.querySelectorAll("a.cell:not([data-alert]), a.detail")];
    }

    click(event) {
        const link = event.target.closest("a[href]");
        if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
        if (link.classList.contains("skip") && this.frame) {
            // Its target would replace the screen beside the list in the address, and close it.
            event.preventDefault();
            this.focus(document.getElementById("content"));
            return;
        }
        if ("back" in link.dataset || "alert" in link.dataset || !link.closest("#table, .bar-side.end")) return;
        if (this.open(link.href)) event.preventDefault();
    }

    // Keyboard

    key(event) {
        if (!Split.wide.matches || event.defaultPrevented) return;
        if (event.key === "F6") {
            event.preventDefault();
            const isInPanel = document.getElementById("hood")?.contains(document.activeElement);
            this.cycle(isInPanel ? "panel" : "list", event.shiftKey);
            return;
        }
        const row = event.target.closest?.("#table li.row");
        if (event.key !== "ArrowRight" || !row) return;
        const [link] = this.links(row);
        if (!link) return;
        event.preventDefault();
        if (row.classList.contains("current")) this.focusPane();
        else this.open(link.href, true);
    }

    /** Moves the focus to the next column, or to the previous one. */
    cycle(from, isBack) {
        const hood = document.getElementById("hood");
        const columns = ["list", ...(this.frame ? ["pane"] : []), ...(hood && !hood.hidden ? ["panel"] : [])];
        const step = isBack ? columns.length - 1 : 1;
        const next = columns[(columns.indexOf(from) + step) % columns.length];
        if (next === "pane") this.focusPane();
        else if (next === "panel") this.focus(document.getElementById("hood-title"));
        else this.focusList();
    }

    focusPane() {
        const inside = this.frame?.contentDocument;
        if (!inside) return;
        this.frame.contentWindow.focus();
        (inside.querySelector("main .cell, main :is(input, textarea, select):not([type=hidden])") ?? inside.getElementById("content"))?.focus();
    }

    focusList() {
        const row = document.querySelector("#table li.row.current") ?? document.querySelector("#table li.row");
        this.focus(row?.querySelector("a.cell, .cell") ?? document.getElementById("content"));
    }

    focus(element) {
        window.focus();
        element.focus();
    }
}

/** A page in the frame: keys that lead back to the list, and links that leave the application. */
function startFramed(split) {
    document.documentElement.classList.add("framed");
    for (const link of document.querySelectorAll('a[href="/"]')) link.target = "_top";
    const back = document.querySelector("[data-back]");
    // The list beside the frame may be on another tab than the one that the button leads to.
    const lists = [parent.location, ...parent.document.querySelectorAll(".tabs a")].map(({ pathname }) => pathname);
    if (back && lists.includes(back.pathname) && !document.body.classList.contains("modal")) back.hidden = true;
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented) return;
        if (event.key === "F6") {
            event.preventDefault();
            split.cycle("pane", event.shiftKey);
            return;
        }
        const isTyping = event.target.closest("input, textarea, select") && event.key !== "Escape";
        if (!["ArrowLeft", "Escape"].includes(event.key) || isTyping || document.querySelector("dialog[open], .revealed")) return;
        event.preventDefault();
        split.focusList();
    });
}

/** Goes to a screen, beside the list if there is one. */
function openScreen(address) {
    if (!window.split?.open(address, true)) location.assign(address);
}

const pane = document.getElementById("pane");
const listAddress = document.body.dataset.list;
if (parent !== window && parent.split) startFramed(parent.split);
else if (pane) window.split = new Split(pane);
else if (listAddress) {
    const alone = () => Split.wide.matches && location.replace(`${listAddress}#${location.pathname}${location.search}`);
    Split.wide.addEventListener("change", alone);
    alone();
}
