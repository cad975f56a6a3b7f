// The section Migrate: the plan of a store's migration, its rehearsal on a copy, and the migration with a backup.
// Addresses: /migrate?model=SOURCE&version=NAME
"use strict";

import { announce, count, element, note, number, StudioError } from "../shell/elements.js";

const effects = {
    added: "good", removed: "bad", dropped: "bad", renamed: "accent", changed: "accent", retyped: "accent", defaulted: "accent", mapped: "accent", unchanged: "",
};
const tables = { untouched: "rows stay", inPlace: "changed in place", rewritten: "rows copied", created: "new table" };

class Migrate {
    constructor(shell) {
        Object.assign(this, shell);
        this.command({ id: "migrate rehearse", title: "Rehearse the migration", kind: "Migrate", run: () => this.rehearse?.click() });
    }

    async start() {
        // Answers to an earlier choice may come late.
        const turn = (this.turn = {});
        this.planning = null;
        let options;
        try {
            options = await this.api("options");
        } catch (error) {
            if (this.turn === turn) this.main.replaceChildren(element("div", { class: "page" }, note(error)));
            return this;
        }
        if (this.turn !== turn) return this;
        this.options = options;
        const { models } = options;
        if (!models.length) {
            this.main.replaceChildren(this.lesson());
            return this;
        }
        this.model = models.find(({ id }) => id === this.query.get("model")) ?? models.find(({ problem, versions }) => !problem || versions.length) ?? models[0];
        this.version = this.model.versions.includes(this.query.get("version")) ? this.query.get("version") : this.model.current;
        this.plan = element("div", { class: "migrate-part", id: "migrate-plan" });
        this.work = element("div", { class: "migrate-part", id: "migrate-job" });
        this.page = element("div", { class: "page migrate-page" }, this.choices(models), this.plan, this.work);
        this.main.replaceChildren(this.page);
        await this.showPlan();
        const { round } = this;
        const job = await this.api("job");
        if (this.turn === turn && this.round === round && job.phase !== "idle") this.follow(job);
        return this;
    }

    lesson() {
        return element(
            "div", { class: "empty", id: "migrate-empty" }, element("h1", {}, "No model to migrate to"),
            element("p", {}, "A migration leads from the version of the store to another version of its model. Start the studio with both:"),
            element("pre", {}, `managedgraph-studio Shop.sqlite Shop.xcdatamodeld`),
            element("p", {}, "Add --write to migrate the store itself; the plan and the rehearsal only read it.")
        );
    }

    choices(models) {
        const model = element("select", { id: "migrate-model" });
        for (const each of models) model.append(element("option", { value: each.id, selected: each === this.model }, each.title));
        const version = element("select", { id: "migrate-version" });
        for (const name of this.model.versions) version.append(element("option", { value: name, selected: name === this.version }, name === this.model.current ? `${name} (current)` : name));
        const go = () => {
            const chosen = models.find(({ id }) => id === model.value);
            const query = { model: chosen.id, version: chosen === this.model ? version.value : chosen.current };
            this.navigate([], query, { replace: true });
            this.query = new URLSearchParams(query);
            this.stop();
            this.start();
        };
        model.addEventListener("change", go);
        version.addEventListener("change", go);
        return element(
            "div", { class: "migrate-choices" },
            element("div", { class: "field" }, element("label", { for: "migrate-model" }, "Model"), model),
            element("div", { class: "field" }, element("label", { for: "migrate-version" }, "To version"), version)
        );
    }

    get choice() {
        return { model: this.model.id, version: this.version };
    }

    // The plan

    async showPlan() {
        this.planning = null;
        if (this.model.problem && !this.model.versions.length) return this.plan.replaceChildren(note(new StudioError({ message: this.model.problem })));
        const request = (this.planning = {});
        const { choice } = this;
        this.plan.replaceChildren(element("p", { class: "secondary" }, "Planning…"));
        let plan;
        try {
            plan = await this.api("plan", { body: choice });
        } catch (error) {
            if (this.planning === request) this.plan.replaceChildren(note(error));
            return;
        }
        if (this.planning !== request) return;
        const parts = [this.verdict(plan)];
        for (const { entity, property, reason } of plan.impasse) parts.push(element("div", { class: "note bad" }, element("strong", {}, [entity, property].filter(Boolean).join(".")), element("p", {}, reason)));
        for (const [place, step] of plan.steps.entries()) parts.push(this.step(step, place, plan.steps.length));
        if (!plan.isUpToDate && !plan.impasse.length) parts.push(this.actions(plan, choice));
        this.plan.replaceChildren(...parts);
    }

    verdict(plan) {
        const route = [plan.steps[0]?.from ?? plan.from, ...plan.steps.map(({ to }) => to)].join(" → ");
        if (plan.isUpToDate) return element("div", { class: "note good" }, element("strong", {}, `The store already has the version ${plan.to}.`), element("p", { class: "remedy" }, "Choose another version, or make a new one in the section Model."));
        if (plan.impasse.length) return element("div", { class: "note bad" }, element("strong", {}, `There is no way from ${plan.from} to ${plan.to}.`), element("p", { class: "remedy" }, "Add a mapping model beside the model, or change the new version."));
        const how = plan.steps.every(({ mapping }) => !mapping) ? "by an inferred mapping, in SQL" : "with mapping models";
        if (plan.isPossible) return element("div", { class: "note good" }, element("strong", {}, `${route}: possible in ${count(plan.steps.length, "step")}, ${how}.`), element("p", { class: "remedy" }, "Nothing has been written."));
        return element("div", { class: "note bad" }, element("strong", {}, `${route}: not possible yet.`), element("p", { class: "remedy" }, "Remove the obstacles below: change the rows, or the rules of the new version."));
    }

    step(step, place, all) {
        const card = element("section", { class: "card migrate-step" });
        card.append(element("div", { class: "spread" }, element("h2", {}, `${all > 1 ? `${place + 1}. ` : ""}${step.from} → ${step.to}`), element("span", { class: "badge push" }, step.mapping ?? "inferred")));
        for (const text of step.obstacles) card.append(element("div", { class: "note bad" }, text));
        for (const misfit of step.misfits) {
            const where = [misfit.entity, misfit.property].filter(Boolean).join(".");
            const names = misfit.examples.map((uri) => uri.split("/").slice(-2).join("/")).join(", ");
            card.append(
                element("div", { class: `note ${misfit.prevents ? "bad" : "warns"} migrate-misfit` }, element("strong", {}, `${count(misfit.count, "object")} of ${where}: ${misfit.reason}`),
                    element("p", { class: "remedy" }, `${names}${misfit.count > misfit.examples.length ? ", …" : ""}${misfit.prevents ? ": the migration fails." : ": they are migrated, and fail validation when they are saved next."}`))
            );
        }
        const changed = step.entities.filter(({ kind }) => kind !== "unchanged");
        const same = step.entities.length - changed.length;
        const table = element("table", { class: "grid migrate-effects" });
        table.append(element("thead", {}, element("tr", {}, ...["Entity", "Effect", "Objects", "Table"].map((title) => element("th", { scope: "col", class: title === "Objects" ? "number" : "" }, title)))));
        const body = element("tbody");
        for (const entity of changed) {
            const name = entity.source && entity.destination && entity.source !== entity.destination ? `${entity.source} → ${entity.destination}` : entity.destination ?? entity.source;
            body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, element("span", { class: `badge ${effects[entity.kind]}` }, entity.kind)), element("td", { class: "number" }, entity.rows === undefined ? "" : number(entity.rows)), element("td", { class: "secondary" }, tables[entity.table] ?? "")));
            for (const property of entity.properties) {
                body.append(element("tr", { class: "migrate-property" }, element("td", {}, property.source && property.source !== property.name ? `${property.source} → ${property.name}` : property.name), element("td", {}, element("span", { class: `badge ${effects[property.kind]}` }, property.kind)), element("td", { class: "number" }, property.rows === undefined ? "" : number(property.rows)), element("td", { class: "secondary" }, property.detail)));
            }
        }
        table.append(body);
        if (changed.length) card.append(element("div", { class: "scrolls" }, table));
        if (same) card.append(element("p", { class: "secondary" }, `${count(same, "entity", "entities")} unchanged.`));
        if (step.statements.length) card.append(element("details", {}, element("summary", {}, `${count(step.statements.length, "SQL statement")}`), element("pre", {}, step.statements.join(";\n"))));
        return card;
    }

    actions(plan, choice) {
        this.rehearse = element("button", { type: "button", class: "button", id: "migrate-rehearse" }, "Rehearse on a copy");
        this.rehearse.addEventListener("click", () => this.begin("rehearse", choice));
        const run = element("button", { type: "button", class: "button primary", id: "migrate-run" }, "Migrate the store…");
        run.disabled = Boolean(this.options.refusal) || !plan.isPossible;
        run.addEventListener("click", () => this.ask(plan, choice));
        const box = element("div", { class: "migrate-actions" }, this.rehearse, run);
        this.rehearse.title = `Migrates ${this.options.copy}, and compares each object`;
        if (this.options.refusal) box.append(element("p", { class: "secondary" }, `${this.options.refusal} ${this.options.remedy ?? ""}`));
        return box;
    }

    ask(plan, choice) {
        const dialog = element("dialog", { class: "sheet", "aria-label": "Migrate" });
        const form = element("form", { method: "dialog" });
        const { backup } = this.options;
        const name = element("input", { id: "migrate-backup", value: backup ?? "", required: true, spellcheck: "false" });
        const cancel = element("button", { type: "button", class: "button" }, "Cancel");
        cancel.addEventListener("click", () => dialog.close());
        form.append(
            element("h2", {}, `Migrate the store to ${plan.to}?`),
            element("p", { class: "secondary" }, "The store is replaced at the end of the last step; programs that use the old version cannot open it any more."),
            backup
                ? element("div", { class: "field" }, element("label", { for: "migrate-backup" }, "Backup, beside the store"), name)
                : element("p", { class: "secondary", id: "migrate-no-backup" }, "No backup is made of a store in a database: make one with pg_dump first. Readers and writers of the tables wait until the end."),
            element("div", { class: "buttons" }, cancel, element("button", { class: "button primary", id: "migrate-go" }, "Migrate"))
        );
        form.addEventListener("submit", () => this.begin("run", backup ? { ...choice, backup: name.value } : choice));
        dialog.addEventListener("close", () => dialog.remove());
        dialog.append(form);
        document.body.append(dialog);
        dialog.showModal();
    }

    // Rehearsal and run

    async begin(path, body) {
        this.stop();
        const { round } = this;
        try {
            const job = await this.api(path, { body });
            if (this.round === round) this.follow(job);
        } catch (error) {
            if (this.round === round) this.work.replaceChildren(note(error));
        }
    }

    async follow(job) {
        this.showJob(job);
        if (job.phase !== "running") return;
        const { round } = this;
        this.timer = setTimeout(async () => {
            try {
                const next = await this.api("job");
                if (this.round === round) this.follow(next);
            } catch (error) {
                if (this.round === round) this.work.replaceChildren(note(error));
            }
        }, 250);
    }

    /** Ends the following of a job; an answer that is still to come is dropped. */
    stop() {
        clearTimeout(this.timer);
        this.round = (this.round ?? 0) + 1;
    }

    showJob(job) {
        const title = job.kind === "rehearsal" ? "Rehearsal on a copy" : "Migration";
        const parts = [element("h2", {}, title)];
        if (job.phase === "running") {
            const cancel = element("button", { type: "button", class: "button small" }, "Cancel");
            cancel.addEventListener("click", () => this.api("job", { method: "DELETE" }));
            parts.push(element("div", { class: "spread" }, element("progress", { max: "1", value: String(job.fraction), "aria-label": title }), element("span", {}, job.fraction.toLocaleString(navigator.languages, { style: "percent" })), cancel));
        } else if (job.phase === "failed") {
            parts.push(note(new StudioError(job.error)), element("p", { class: "secondary" }, "The store is unchanged."));
        } else if (job.phase === "cancelled") {
            parts.push(element("div", { class: "note warns" }, "Cancelled. The store is unchanged."));
        } else if (job.kind === "migration") {
            const text = job.steps ? `The store has the version ${job.destination} now.` : "The store already had the version.";
            parts.push(element("div", { class: "note good", id: "migrate-done" }, element("strong", {}, text), job.backup ? element("p", {}, `The old store is kept: ${job.backup}`) : null));
            if (this.wasRunning) {
                announce(text);
                this.showPlan();
            }
        } else {
            parts.push(...this.findings(job));
            if (this.wasRunning) announce("The rehearsal has ended.");
        }
        this.wasRunning = job.phase === "running";
        this.work.replaceChildren(...parts);
    }

    findings(job) {
        const { entities, problems, broken } = job.rehearsal;
        const parts = [
            problems.length
                ? element("div", { class: "note bad" }, element("strong", {}, "The migration has effects that the models do not explain."), ...problems.map((text) => element("p", {}, text)))
                : element("div", { class: "note good", id: "migrate-rehearsed" }, element("strong", {}, `The copy was migrated in ${job.seconds.toLocaleString(navigator.languages, { maximumFractionDigits: 2 })} s.`), element("p", {}, "Each object was compared; every difference has a reason in the models.")),
        ];
        if (broken.length) parts.push(element("div", { class: "note warns" }, element("strong", {}, "These objects violate rules of the new version:"), ...broken.map((text) => element("p", {}, text))));
        const table = element("table", { class: "grid" });
        table.append(element("thead", {}, element("tr", {}, ...["Entity", "Before", "After", "Changed", "Gone"].map((title, place) => element("th", { scope: "col", class: place ? "number" : "" }, title)))));
        table.append(element("tbody", {}, ...entities.map((each) => element("tr", {}, element("th", { scope: "row" }, each.source && each.destination && each.source !== each.destination ? `${each.source} → ${each.destination}` : each.destination ?? each.source), ...[each.before, each.after, each.changed, each.gone].map((value) => element("td", { class: "number" }, number(value)))))));
        parts.push(element("div", { class: "scrolls" }, table));
        if (job.differenceCount) {
            parts.push(element("h3", {}, `${count(job.differenceCount, "object")} differ${job.differenceCount === 1 ? "s" : ""}${job.differenceCount > job.differences.length ? `, the first ${number(job.differences.length)}:` : ""}`));
            const list = element("div", { class: "migrate-differences" });
            for (const difference of job.differences) list.append(this.difference(difference));
            parts.push(list);
        }
        return parts;
    }

    difference({ entity, source, destination, changes }) {
        const short = (uri) => uri.split("/").slice(-2).join("/");
        const name = source && destination && short(source) !== short(destination) ? `${short(source)} → ${short(destination)}` : short(destination ?? source ?? entity);
        const state = !destination ? element("span", { class: "badge bad push" }, "gone") : !source ? element("span", { class: "badge good push" }, "new") : null;
        const table = element("table", { class: "grid migrate-values" }, element("caption", { class: "hidden" }, name));
        table.append(element("tbody", {}, ...changes.map((change) => element("tr", {}, element("th", { scope: "row" }, change.property), element("td", { class: "live-before" }, change.old ?? ""), element("td", { class: "live-after" }, change.new ?? "")))));
        return element("div", { class: "card" }, element("div", { class: "spread" }, element("h3", {}, name), state), changes.length ? table : null);
    }

    leave() {
        this.turn = null;
        this.planning = null;
        this.stop();
    }
}

export async function show(shell) {
    return new Migrate(shell).start();
}
