// The section History: a timeline of the saves that a store keeps, the states of an object, and putting it back.
// Addresses: /history?entity=ENTITY&object=URI
"use strict";

import { announce, count, element, note, number } from "../shell/elements.js";

const day = new Intl.DateTimeFormat(navigator.languages, { dateStyle: "full" });
const clock = new Intl.DateTimeFormat(navigator.languages, { timeStyle: "medium" });
const moment = new Intl.DateTimeFormat(navigator.languages, { dateStyle: "medium", timeStyle: "medium" });
const badges = { insert: ["good", "inserted"], update: ["accent", "updated"], delete: ["bad", "deleted"], before: ["", "before"] };

class History {
    constructor(shell) {
        Object.assign(this, shell);
        this.entity = this.query.get("entity") ?? "";
        this.uri = this.query.get("object");
        this.command({ id: "history reload", title: "Read the history again", kind: "History", keys: "r", run: () => this.load() });
    }

    async start() {
        await this.load();
        return this;
    }

    async load() {
        let timeline;
        try {
            timeline = await this.api(`transactions?${new URLSearchParams({ entity: this.entity })}`);
        } catch (error) {
            return this.main.replaceChildren(element("div", { class: "page" }, note(error)));
        }
        this.timeline = timeline;
        this.sidebar.replaceChildren(element("h2", { class: "list-title" }, "Entities"), this.entities(timeline.entities));
        if (!timeline.saves.length && !this.entity) return this.main.replaceChildren(this.lesson());
        this.list = element("section", { class: "history-list", "aria-label": "Saves" });
        this.detail = element("section", { class: "history-detail", "aria-label": "Chosen object", tabindex: "0" });
        this.detail.append(element("div", { class: "empty" }, element("p", {}, "Choose an object to see what it was at each moment.")));
        this.main.replaceChildren(this.strip(timeline), element("div", { class: "halves" }, this.list, this.detail));
        this.draw(timeline.saves);
        if (this.uri) await this.choose(this.uri);
    }

    strip(timeline) {
        const which = timeline.isComplete ? "" : "the newest ";
        const text = timeline.isKept ? `${which}${count(timeline.saves.length, "save")} of the store’s history` : `${count(timeline.saves.length, "save")} observed since the section Live was opened`;
        const reload = element("button", { type: "button", class: "button small", id: "history-reload" }, "Reload");
        reload.addEventListener("click", () => this.load());
        return element("div", { class: "strip" }, element("span", { class: "secondary" }, text), element("span", { class: "push" }), timeline.isWritable ? null : element("span", { class: "badge" }, "read-only"), reload);
    }

    entities(names) {
        const list = element("ul", { class: "list", id: "history-entities" });
        for (const name of ["", ...names]) {
            const link = element("a", { href: `/studio/${this.source.id}/history${name ? `?entity=${encodeURIComponent(name)}` : ""}` }, element("span", { class: "name" }, name || "All entities"));
            if (name === this.entity) link.setAttribute("aria-current", "true");
            list.append(element("li", {}, link));
        }
        return list;
    }

    lesson() {
        const code = 'let description = NSPersistentStoreDescription(url: url)\ndescription.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)\ncontainer.persistentStoreDescriptions = [description]';
        const live = this.source.kind === "container" ? element("p", {}, "Without it, the saves that the section ", element("a", { href: `/studio/${this.source.id}/live` }, "Live"), " observes while it is open are listed here.") : null;
        return element(
            "div", { class: "empty", id: "history-empty" }, element("h1", {}, "This store keeps no history"),
            element("p", {}, "A store records each save, with its author and the changed properties, if it is opened with the option for history tracking:"),
            element("pre", {}, code),
            element("p", {}, "Set transactionAuthor on contexts to see who saved, and “Preserve After Deletion” on attributes to keep the values of deleted objects."),
            live
        );
    }

    draw(saves) {
        if (!saves.length) return this.list.append(element("div", { class: "empty" }, element("p", {}, `No save has changed ${this.entity} objects.`)));
        let last = "";
        for (const save of saves) {
            const date = new Date(save.date);
            if (day.format(date) !== last) {
                last = day.format(date);
                this.list.append(element("h2", { class: "list-title" }, last));
            }
            const who = [save.author, save.context, save.process].filter(Boolean).join(" · ") || "without an author";
            const objects = element("ul", { class: "list" });
            for (const change of save.changes) {
                const [kind, word] = badges[change.kind];
                const button = element("button", { type: "button", "data-uri": change.uri, "aria-pressed": "false" });
                button.append(element("span", { class: `badge ${kind}` }, word), element("span", { class: "name" }, change.object), element("span", { class: "count history-properties" }, change.properties.join(", ")));
                button.addEventListener("click", () => this.choose(change.uri));
                objects.append(element("li", {}, button));
            }
            if (save.count > save.changes.length) objects.append(element("li", { class: "secondary history-more" }, `${count(save.count - save.changes.length, "object")} more`));
            this.list.append(
                element("section", { class: "history-save", "data-save": save.id }, element("header", { class: "spread" }, element("time", { datetime: save.date }, clock.format(date)), element("span", { class: "secondary history-who" }, who)), objects)
            );
        }
    }

    async choose(uri) {
        this.uri = uri;
        this.navigate([], { ...(this.entity && { entity: this.entity }), object: uri }, { replace: true });
        for (const button of this.list.querySelectorAll("button[data-uri]")) button.setAttribute("aria-pressed", String(button.dataset.uri === uri));
        try {
            const object = await this.api(`object?${new URLSearchParams({ uri })}`);
            if (this.uri === uri) this.showObject(object);
        } catch (error) {
            if (this.uri === uri) this.detail.replaceChildren(note(error));
        }
    }

    showObject(object) {
        const state = element("span", { class: `badge push ${object.exists ? "good" : "bad"}` }, object.exists ? "exists" : "deleted");
        const parts = [element("div", { class: "spread" }, element("h2", {}, object.object), state)];
        for (const each of object.moments) parts.push(this.moment(each, object));
        if (!object.moments.length) parts.push(element("p", { class: "secondary" }, "No save of this object is kept."));
        this.detail.replaceChildren(...parts);
        this.detail.scrollTop = 0;
    }

    moment(each, object) {
        const [kind, word] = badges[each.kind];
        const head = element("div", { class: "spread" }, element("span", { class: `badge ${kind}` }, word), element("time", { datetime: each.date }, moment.format(new Date(each.date))), element("span", { class: "secondary history-who" }, [each.author, each.context].filter(Boolean).join(" · ")));
        if (each.isRestorable) {
            const button = element("button", { type: "button", class: "button small push", "data-restore": each.id }, object.exists ? "Put back…" : "Insert again…");
            button.addEventListener("click", () => this.ask(each, object));
            head.append(button);
        }
        const table = element("table", { class: "grid history-values" }, element("caption", { class: "hidden" }, `${object.object}, ${word}`));
        const body = element("tbody");
        for (const value of each.values) {
            const row = element("tr", { class: value.isChanged ? "history-changed" : "" }, element("th", { scope: "row" }, value.name));
            if (value.isKnown) row.append(element("td", { class: value.text === undefined ? "secondary" : "" }, value.text ?? "nil"));
            else row.append(element("td", { class: "secondary", title: "A later save changed it, and the history keeps names of changed properties only." }, "not kept"));
            body.append(row);
        }
        table.append(body);
        return element("div", { class: "card history-moment", "data-moment": each.id }, head, table);
    }

    /** Lists the properties that putting back will change, and saves it if the reader agrees. */
    async ask(each, object) {
        const uri = this.uri;
        const send = (saves) => this.api("restore", { body: { uri, moment: each.id, saves } });
        const dialog = element("dialog", { class: "sheet", "aria-label": "Put back" });
        const close = element("button", { type: "button", class: "button" }, "Cancel");
        close.addEventListener("click", () => dialog.close());
        dialog.addEventListener("close", () => dialog.remove());
        const content = element("div", { class: "content" });
        dialog.append(content);
        document.body.append(dialog);
        dialog.showModal();
        try {
            const plan = await send(false);
            const table = element("table", { class: "grid history-values" });
            table.append(element("thead", {}, element("tr", {}, ...["Property", "Now", "Then"].map((title) => element("th", { scope: "col" }, title)))));
            table.append(element("tbody", {}, ...plan.changes.map((change) => element("tr", {}, element("th", { scope: "row" }, change.name), element("td", {}, change.before ?? "nil"), element("td", {}, change.after ?? "nil")))));
            const go = element("button", { type: "button", class: "button primary", id: "history-restore" }, plan.isInserted ? "Insert and save" : "Put back and save");
            go.disabled = !this.timeline.isWritable;
            go.addEventListener("click", async () => {
                go.disabled = true;
                try {
                    const done = await send(true);
                    dialog.close();
                    announce(`${done.object} was put back and saved.`);
                    this.uri = done.uri;
                    await this.load();
                } catch (error) {
                    content.querySelector(".note")?.remove();
                    content.append(note(error), buttons);
                    go.disabled = false;
                }
            });
            const buttons = element("div", { class: "buttons" }, close, go);
            content.append(
                element("h2", {}, plan.isInserted ? `Insert ${object.object} again?` : `Put ${object.object} back?`),
                element("p", { class: "secondary" }, plan.isInserted ? "It gets a new identifier; relationships to it are not restored." : `${count(plan.changes.length, "property", "properties")} of ${number(each.values.length)} change. The save is part of the history itself.`),
                table
            );
            if (plan.lost.length) content.append(element("div", { class: "note warns" }, element("strong", {}, "These objects do not exist any more, and are left out:"), element("p", {}, plan.lost.join(", "))));
            if (!this.timeline.isWritable) content.append(element("div", { class: "note" }, element("strong", {}, "The store is read-only."), element("p", { class: "remedy" }, "Start the studio with --write.")));
            content.append(buttons);
            (go.disabled ? close : go).focus();
        } catch (error) {
            content.append(note(error), element("div", { class: "buttons" }, close));
        }
    }

    leave() {}
}

export async function show(shell) {
    return new History(shell).start();
}
