// Staged changes: the strip at the bottom with its list, the question before a deletion, and conflicts value by value.
"use strict";

import { element, note, count, announce } from "../shell/elements.js";
import { plainText } from "./cells.js";

const words = { inserted: "new", updated: "changed", deleted: "deleted" };

/** The staged changes of this reader. `api` adds the reader; `changed(state)` is called after each edit. */
export class Staged {
    constructor({ api, host, open, changed }) {
        Object.assign(this, { api, open, changed });
        this.state = null;
        this.queue = Promise.resolve();
        this.isListed = false;
        this.strip = element("section", { class: "staged", "aria-label": "Staged changes", hidden: true });
        host.append(this.strip);
    }

    /** Reads the changes, as after a reload of the page. */
    async load() { this.show(await this.api("staged")); }

    /** Sends an edit after those in progress, so that a save includes them. */
    send(path, body) {
        this.queue = this.queue.then(() => this.post(path, body));
        return this.queue;
    }

    async post(path, body) {
        try {
            const state = await this.api(path, { method: "POST", body: body ?? {} });
            this.show(state);
            this.changed(state);
            return state;
        } catch (error) {
            this.failed(error);
            return null;
        }
    }

    failed(error) {
        this.error = error;
        this.draw();
        announce(error.message);
    }

    apply(edits) { return this.send("apply", { edits }); }
    undo() { return this.state?.canUndo ? this.send("undo") : null; }
    redo() { return this.state?.canRedo ? this.send("redo") : null; }

    async discard() {
        if (!this.state?.changes.length) return;
        const isSure = await ask({ title: "Discard the changes?", text: `${count(this.state.changes.length, "change")} will be lost.`, confirm: "Discard", isDanger: true });
        if (isSure) await this.send("discard");
    }

    async save() {
        const { error } = this;
        await this.queue;
        // An edit that was refused meanwhile shows its reason first.
        if (!this.state?.changes.length || (this.error && this.error !== error)) return;
        const state = await this.send("save");
        if (!state) return;
        if (state.isSaved) announce("Saved");
        else if (state.conflicts.length) await this.settle(state.conflicts);
        else {
            this.isListed = true;
            this.draw();
        }
    }

    show(state) {
        this.state = state;
        this.error = null;
        this.draw();
    }

    draw() {
        const { state, error } = this;
        const changes = state?.changes ?? [];
        const problems = state?.problems ?? [];
        this.strip.hidden = !changes.length && !error && !state?.canRedo;
        if (this.strip.hidden) return this.strip.replaceChildren();
        const bar = element("div", { class: "strip bottom" });
        const button = (title, run, { primary, danger, disabled, keys } = {}) => {
            const result = element("button", { type: "button", class: `button small${primary ? " primary" : ""}${danger ? " danger" : ""}`, disabled, title: keys }, title);
            result.addEventListener("click", run);
            return result;
        };
        if (changes.length) {
            const toggle = element("button", { type: "button", class: "button small plain", id: "staged-toggle", "aria-expanded": String(this.isListed) }, count(changes.length, "change"));
            toggle.addEventListener("click", () => {
                this.isListed = !this.isListed;
                this.draw();
            });
            bar.append(toggle);
        } else {
            bar.append(element("span", { class: "secondary" }, "No changes"));
        }
        for (const kind of ["inserted", "updated", "deleted"]) {
            const number = changes.filter(({ state: each }) => each === kind).length;
            if (number) bar.append(element("span", { class: `badge ${kind === "inserted" ? "good" : kind === "deleted" ? "bad" : "accent"}` }, `${number} ${words[kind]}`));
        }
        if (problems.length) bar.append(element("span", { class: "badge bad" }, count(problems.length, "rule violated", "rules violated")));
        bar.append(element("span", { class: "push" }));
        bar.append(
            button("Undo", () => this.undo(), { disabled: !state?.canUndo, keys: "Ctrl-Z" }),
            button("Redo", () => this.redo(), { disabled: !state?.canRedo, keys: "Shift-Ctrl-Z" }),
        );
        if (changes.length) {
            bar.append(button("Discard", () => this.discard(), { danger: true }), button("Save", () => this.save(), { primary: true, keys: "Ctrl-S" }));
        }
        const parts = [];
        if (error) {
            const box = note(error);
            const close = element("button", { type: "button", class: "button small plain" }, "Close");
            close.addEventListener("click", () => {
                this.error = null;
                this.draw();
            });
            box.append(element("div", {}, close));
            parts.push(box);
        }
        if (this.isListed && changes.length) parts.push(this.list(changes, problems));
        this.strip.replaceChildren(...parts, bar);
    }

    list(changes, problems) {
        const list = element("ul", { class: "staged-list" });
        const free = problems.filter(({ link }) => !link || !changes.some((change) => change.link.id === link.id));
        for (const problem of free) list.append(element("li", {}, problemText(problem)));
        for (const { link, state, values } of changes) {
            const name = element("button", { type: "button", class: "relation" }, link.title);
            name.addEventListener("click", () => this.open(link));
            const item = element("li", {}, element("div", { class: "spread" }, name, element("span", { class: "secondary" }, `${link.entity}, ${words[state]}`)));
            for (const value of values) {
                const line = element("div", { class: "staged-value" }, element("span", { class: "secondary" }, value.property));
                if (value.before) line.append(element("del", {}, plainText(value.before)), element("span", { "aria-label": "becomes" }, "→"));
                line.append(element("ins", {}, value.added !== undefined && value.added !== null && value.before ? `${plainText(value.after)} (+${value.added} −${value.removed})` : plainText(value.after)));
                item.append(line);
            }
            for (const problem of problems) if (problem.link?.id === link.id) item.append(problemText(problem));
            list.append(item);
        }
        return list;
    }

    // Deletion

    /** Lists everything that a deletion takes along, and deletes after a confirmation. */
    async remove(ids) {
        let forecast;
        try {
            forecast = await this.api("forecast", { body: { ids } });
        } catch (error) {
            return this.failed(error);
        }
        const content = element("div", { class: "content deletion" });
        const names = forecast.objects.slice(0, 5).map(({ title }) => title).join(", ") + (forecast.objects.length > 5 ? ` and ${forecast.objects.length - 5} more` : "");
        if (forecast.objects.length > 1) content.append(element("p", {}, names));
        const group = (title, groups, kind) => {
            if (!groups.length) return;
            const list = element("ul", { class: `deletion-list ${kind}` });
            for (const { entity, count: number, examples, causes } of groups) {
                const rest = number - examples.length;
                list.append(element("li", {},
                    element("div", { class: "spread" }, element("strong", {}, `${number} ${entity}`), element("span", { class: "secondary" }, causes.join(", "))),
                    element("p", { class: "secondary" }, examples.map(({ title: name }) => name).join(", ") + (rest > 0 ? ` and ${rest} more` : ""))));
            }
            content.append(element("h3", {}, title), list);
        };
        group("Deleted too", forecast.deleted, "bad");
        group("Lose a reference", forecast.nullified, "warns");
        if (!forecast.deleted.length && !forecast.nullified.length) content.append(element("p", { class: "secondary" }, "Nothing else is deleted or changed."));
        for (const denial of forecast.denials) content.append(note(denial));
        const total = forecast.objects.length + forecast.deleted.reduce((sum, each) => sum + each.count, 0);
        const isSure = await ask({
            title: forecast.objects.length === 1 ? `Delete ${forecast.objects[0].title}?` : `Delete ${count(forecast.objects.length, "object")}?`,
            content, confirm: total === 1 ? "Delete" : `Delete ${total} objects`, isDanger: true,
        });
        if (isSure) await this.apply(ids.map((object) => ({ kind: "delete", object })));
    }

    // Conflicts

    /** Shows each value of each conflict, and saves with the reader's choices. */
    async settle(conflicts) {
        const content = element("div", { class: "content conflicts" });
        content.append(element("p", {}, "Another writer has saved these objects since you began to change them. Choose a value where both changed it; nothing has been written yet."));
        const choices = [];
        conflicts.forEach(({ link, isDeletedElsewhere, isDeletedHere, values }, index) => {
            const table = element("table", { class: "grid" });
            const radio = (property, side, cell, isChosen) => {
                const input = element("input", { type: "radio", name: `conflict-${index}-${property ?? ""}`, value: side, checked: isChosen });
                choices.push({ input, object: link.id, property, side });
                return element("label", { class: "check" }, input, element("span", {}, cell));
            };
            content.append(element("h3", {}, `${link.title}, ${link.entity}`));
            if (isDeletedElsewhere || isDeletedHere) {
                const [mine, theirs] = isDeletedElsewhere ? ["Insert it again with my values", "Drop my changes: it stays deleted"] : ["Delete it", "Keep it as the other writer saved it"];
                content.append(element("p", { class: "secondary" }, isDeletedElsewhere ? "It was deleted elsewhere." : "It was changed elsewhere, and deleted here."));
                content.append(radio(undefined, "mine", mine, isDeletedHere), radio(undefined, "theirs", theirs, !isDeletedHere));
            }
            if (!values.length) return;
            table.append(element("thead", {}, element("tr", {}, ...["Property", "When I began", "Mine", "Theirs"].map((title) => element("th", { scope: "col" }, title)))));
            const body = element("tbody", {});
            for (const { property, base, mine, theirs, isContested } of values) {
                const row = element("tr", { class: isContested ? "contested" : "" }, element("th", { scope: "row" }, property), element("td", { class: "secondary" }, plainText(base)));
                if (isContested) row.append(element("td", {}, radio(property, "mine", plainText(mine), true)), element("td", {}, radio(property, "theirs", plainText(theirs), false)));
                else {
                    const isMine = JSON.stringify(mine) !== JSON.stringify(base);
                    row.append(element("td", { class: isMine ? "kept" : "secondary" }, plainText(mine)), element("td", { class: isMine ? "secondary" : "kept" }, plainText(theirs)));
                }
                body.append(row);
            }
            table.append(body);
            content.append(element("div", { class: "scrolls" }, table));
        });
        const isSure = await ask({ title: "Changed by another writer", content, confirm: "Save with these values", cancel: "Decide later", isWide: true });
        if (!isSure) return;
        const decided = choices.filter(({ input }) => input.checked).map(({ object, property, side }) => ({ object, property, side }));
        const state = await this.send("resolve", { choices: decided });
        if (!state) return;
        if (state.changes.length) await this.save();
    }
}

function problemText(problem) {
    const cause = /[.!?]$/.test(problem.message) ? problem.message : `${problem.message}.`;
    return element("p", { class: "problem" }, [cause, problem.remedy].filter(Boolean).join(" "));
}

/** A dialog with a question; resolves to whether it was confirmed. */
export function ask({ title, text, content, confirm, cancel = "Cancel", isDanger = false, isWide = false }) {
    const dialog = element("dialog", { class: `sheet${isWide ? " wide" : ""}`, "aria-label": title });
    const yes = element("button", { type: "submit", value: "yes", class: `button ${isDanger ? "danger" : "primary"}` }, confirm);
    // Enter in a field confirms: the button that cancels does not submit.
    const no = element("button", { type: "button", class: "button" }, cancel);
    no.addEventListener("click", () => dialog.close("no"));
    const form = element("form", { method: "dialog" }, element("h2", {}, title), text ? element("p", {}, text) : null, content, element("div", { class: "buttons" }, no, yes));
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
    yes.focus();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            resolve(dialog.returnValue === "yes");
            dialog.remove();
        });
    });
}
