// The parts that all table screens share: localised moments, alerts, posts that keep the input, and searching. Starts
// tables.js, gestures.js, forms.js, drafts.js and jobs.js. The server escapes the HTML of rows; text is only ever set
// as text.
"use strict";

// MARK: Moments

const forms = {
    date: { dateStyle: "long" },
    day: { month: "short", day: "numeric" },
    moment: { dateStyle: "medium", timeStyle: "medium" },
};

function formatted(date, form) {
    return new Intl.DateTimeFormat(navigator.languages, forms[form]).format(date);
}

function localise(scope) {
    for (const time of scope.querySelectorAll("time[data-form]")) {
        time.textContent = formatted(new Date(time.dateTime), time.dataset.form);
    }
    for (const data of scope.querySelectorAll("data")) data.textContent = numberFormat.format(data.value);
}

/** A day as the value of a date field, in the reader's time zone. */
function fieldText(date) {
    const two = (number) => String(number).padStart(2, "0");
    return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function startDateField(input) {
    if (input.dataset.datetime) {
        input.value = fieldText(new Date(input.dataset.datetime));
        const opened = input.form?.elements[`was.${input.name}`];
        if (opened) opened.value = input.value;
    }
    const time = document.getElementById(input.dataset.long).querySelector("time");
    const show = () => {
        if (!input.value) return;
        const date = new Date(`${input.value}T12:00:00`);
        time.dateTime = date.toISOString();
        time.textContent = formatted(date, "date");
    };
    input.addEventListener("input", show);
    show();
}

/** Numbers in the reader's notation. */
const numberFormat = new Intl.NumberFormat(navigator.languages, { maximumSignificantDigits: 15 });

// MARK: Alerts

/** Shows an alert or a question; resolves, when it is closed, to whether it was confirmed. */
function showAlert({ title, message = "", items = [], cancel = "Cancel", confirm = "" }) {
    document.querySelector("dialog.alert")?.remove();
    const dialog = document.createElement("dialog");
    dialog.className = "alert";
    dialog.setAttribute("role", "alertdialog");
    dialog.setAttribute("aria-labelledby", "alert-title");
    dialog.setAttribute("aria-describedby", "alert-message");
    const make = (name, text, parent) => {
        const element = parent.appendChild(document.createElement(name));
        element.textContent = text;
        return element;
    };
    make("h2", title, dialog).id = "alert-title";
    const body = make("div", "", dialog);
    body.id = "alert-message";
    if (message) make("p", message, body);
    if (items.length) {
        const list = make("ul", "", body);
        for (const item of items) make("li", item, list);
    }
    const form = make("form", "", dialog);
    form.method = "dialog";
    if (confirm) {
        make("button", cancel, form);
        const button = make("button", confirm, form);
        button.value = "confirmed";
        button.className = "destructive";
    } else {
        make("button", "OK", form);
    }
    document.body.append(dialog);
    return openAlert(dialog);
}

function openAlert(dialog) {
    const opener = document.activeElement;
    // Not close(): its event would arrive after the alert is open again, and remove it.
    dialog.open = false;
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            if (opener?.isConnected) opener.focus();
            resolve(dialog.returnValue === "confirmed");
        });
        dialog.showModal();
        dialog.querySelector("button").focus();
    });
}

// MARK: Forms and navigation

const unreachable = {
    title: "Server Not Reached",
    message: "Nothing was changed, and nothing you typed is lost. Try again in a moment.",
};
let isPosting = false;
let lastPost = Promise.resolve();

/** The body of a post: only files require multipart encoding. */
function formBody(fields) {
    const hasFile = fields instanceof FormData && [...fields.values()].some((value) => value instanceof File);
    return hasFile ? fields : new URLSearchParams(fields);
}

/** Posts fields; resolves to the answer with an address or a conflict, or to null after an alert. */
async function send(address, fields) {
    try {
        const response = await fetch(address, {
            method: "POST",
            headers: { Accept: "application/json" },
            body: formBody(fields),
        });
        const answer = await response.json();
        if (answer.go || answer.conflict || answer.ask) return answer;
        await showAlert(answer.alert);
    } catch {
        await showAlert(unreachable);
    }
    return null;
}

/** Posts a form once, however often its button is pressed. */
async function post(address, fields) {
    if (isPosting) return null;
    isPosting = true;
    try {
        return await send(address, fields);
    } finally {
        isPosting = false;
    }
}

/** Posts one after the other, because taps on rows can follow each other quickly. */
function postInTurn(address, fields) {
    lastPost = lastPost.then(() => send(address, fields));
    return lastPost;
}

/** The address of the previous history entry, or null. */
function previousAddress() {
    const here = window.navigation?.currentEntry?.index ?? 0;
    return here > 0 ? new URL(navigation.entries()[here - 1].url) : null;
}

/** Goes back if the previous history entry has the address, so that the history does not grow with each visit. */
function returnTo(address, anyQuery) {
    const target = new URL(address, location);
    const previous = previousAddress();
    const isSame = previous && previous.pathname === target.pathname && (anyQuery || previous.search === target.search);
    if (isSame) history.back();
    else location.replace(target);
}

document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.getAttribute("method") !== "post") return;
    event.preventDefault();
    if ("draft" in form.dataset) {
        // Return in a field sends the change and stays on the screen.
        window.liveForm?.flush();
        return;
    }
    const fields = new FormData(form, event.submitter);
    const { question, message, confirm } = event.submitter?.dataset ?? {};
    if (question) {
        if (!(await showAlert({ title: question, message, confirm }))) return;
        fields.set("confirmed", "yes");
    }
    // Not `form.action`, because the field of that name hides it.
    const target = form.getAttribute("action");
    let answer = await (form.id === "perform" ? postInTurn(target, fields) : post(target, fields));
    if (answer?.ask) {
        if (!(await showAlert(answer.ask))) return;
        fields.set("confirmed", "yes");
        answer = await post(target, fields);
    }
    if (answer?.deleted) deletions.add(answer.deleted);
    if (answer?.conflict && (await settle(form, answer.conflict))) form.requestSubmit(event.submitter);
    const address = answer?.go;
    if (address && form.id === "form") form.dataset.left = "";
    if (!address || address === target) return;
    if (answer.new) noteNewObject(address, answer.new);
    if (new URL(address, location).href === location.href) return;
    if (form.id === "act" || form.id === "perform") openScreen(address);
    else if (form.id !== "deletion") returnTo(address, false);
});

document.addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const leads = !link.getAttribute("href").startsWith("#") && !link.target && !("alert" in link.dataset);
    const isDraft = window.liveForm?.isDraft === true;
    if (leads && (isDraft || hasUnsavedInput() || leavesNewObject(link.pathname))) {
        event.preventDefault();
        if (isDraft && !(await window.liveForm.leave())) return;
        if (hasUnsavedInput() && !(await mayLoseInput())) return;
        await leaveNewObject(link.pathname);
        if ("back" in link.dataset) returnTo(link.href, true);
        else location.assign(link.href);
    } else if ("back" in link.dataset) {
        event.preventDefault();
        returnTo(link.href, true);
    } else if ("alert" in link.dataset) {
        event.preventDefault();
        try {
            const response = await fetch(link.href, { headers: { Accept: "application/json" } });
            const answer = await response.json();
            if (answer.alert) showAlert(answer.alert);
        } catch {
            showAlert({ ...unreachable, message: "Try again in a moment." });
        }
    }
});

let losing = null;

/** Shows after a moment that the connection is lost. Each failed attempt calls this; only the first starts the timer. */
function showLost(isLost) {
    if (!isLost) {
        clearTimeout(losing);
        losing = null;
        document.querySelector(".lost")?.remove();
    } else {
        losing ??= setTimeout(() => {
            const note = document.body.appendChild(document.createElement("p"));
            note.className = "lost";
            note.setAttribute("role", "status");
            note.textContent = "Reconnecting…";
        }, 1500);
    }
}

// MARK: Searching

/** A field that filters the table as the reader types; the address follows, so that a reload keeps the filter. */
class SearchField {
    constructor(form, table, gestures) {
        this.form = form;
        this.table = table;
        this.gestures = gestures;
        this.input = form.querySelector("input[type=search]");
        this.input.addEventListener("input", (event) => {
            if (event.isComposing) return;
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.search(), 60);
        });
        this.input.addEventListener("compositionend", () => this.search());
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.search();
        });
        form.querySelector(".search-clear").addEventListener("click", (event) => {
            event.preventDefault();
            this.input.value = "";
            this.input.focus();
            this.search();
        });
    }

    search() {
        clearTimeout(this.timer);
        const text = this.input.value.trim();
        const target = new URL(this.form.getAttribute("action"), location);
        if (text) target.searchParams.set(this.form.dataset.key, text);
        const address = target.pathname + target.search;
        if (address === this.table.address) return;
        // The part after # names the screen beside the list.
        history.replaceState(history.state, "", address + location.hash);
        // Actions on rows return to this address.
        for (const form of document.querySelectorAll("form[method=post]")) form.setAttribute("action", address);
        this.gestures.setSearching(text !== "");
        this.table.show(address);
    }
}

// MARK: Tabs

/** Lets the back button lead to the tab from which this screen was opened, if it leads to another tab. */
function returnToOpeningTab() {
    const back = document.querySelector("[data-back]");
    const tabs = [...document.querySelectorAll(".tabs a")];
    if (!back || !tabs.some(({ pathname }) => pathname === back.pathname)) return;
    const previous = previousAddress();
    const tab = tabs.find(({ pathname }) => pathname === previous?.pathname);
    if (!tab || tab.pathname === back.pathname) return;
    back.href = previous.href;
    back.querySelector(".back-title").textContent = tab.textContent.trim();
}

// MARK: Start

returnToOpeningTab();
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.cookie = `zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; SameSite=Strict`;
for (const field of document.querySelectorAll("input[name=zone]")) field.value = zone;
localise(document);
for (const field of document.querySelectorAll("input[data-long]")) startDateField(field);
startForm().then(() => leaveNewObject(location.pathname));
const table = document.getElementById("table");
if (table) {
    window.liveTable = new LiveTable(table);
    const gestures = new RowGestures(table);
    const search = document.getElementById("search");
    if (search) new SearchField(search, window.liveTable, gestures);
}
const opened = document.querySelector("dialog.alert[open]");
if (opened) {
    openAlert(opened);
    // The alert of an address is shown once: not after a reload, nor when the reader comes back.
    const here = new URL(location);
    here.searchParams.delete("alert");
    history.replaceState(history.state, "", here);
}
document.querySelector("[autofocus]:not(dialog *)")?.focus();
document.querySelector("input[type=text][autofocus]")?.select();
