// What forms do in the browser beyond screens.js: choosing between one's own and another person's values.
"use strict";

// MARK: Two people on one object

/** Shows both values of each field; resolves to the names of those where the other person's stays, or to null. */
function askWhichStay({ title, message, fields }) {
    document.querySelector("dialog.alert")?.remove();
    const dialog = document.createElement("dialog");
    dialog.className = "alert conflicts";
    dialog.setAttribute("role", "alertdialog");
    dialog.setAttribute("aria-labelledby", "alert-title");
    dialog.setAttribute("aria-describedby", "alert-message");
    const make = (name, parent, text = "", className = "") => {
        const element = parent.appendChild(document.createElement(name));
        element.textContent = text;
        if (className) element.className = className;
        return element;
    };
    make("h2", dialog, title).id = "alert-title";
    const form = make("form", dialog);
    form.method = "dialog";
    const body = make("div", form);
    body.id = "alert-message";
    make("p", body, message);
    for (const field of fields) {
        const group = make("fieldset", body, "", "conflict");
        make("legend", group, field.label);
        for (const [choice, whose] of [["mine", "Mine"], ["theirs", "Theirs"]]) {
            const label = make("label", group);
            const radio = make("input", label);
            radio.type = "radio";
            radio.name = field.name;
            radio.value = choice;
            radio.defaultChecked = choice === "mine";
            make("span", label, whose, "conflict-whose");
            const value = make("span", label, field[choice] || "Empty", "conflict-value");
            value.classList.toggle("placeholder", !field[choice]);
        }
    }
    const buttons = make("div", form, "", "alert-buttons");
    const cancel = make("button", buttons, "Back to the Form");
    cancel.value = "";
    const save = make("button", buttons, "Save");
    save.value = "save";
    document.body.append(dialog);
    const opener = document.activeElement;
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            const theirs = [...form.querySelectorAll("input:checked")].filter((radio) => radio.value === "theirs");
            dialog.remove();
            if (opener?.isConnected) opener.focus();
            resolve(dialog.returnValue === "save" ? theirs.map((radio) => radio.name) : null);
        });
        // Return saves, as it does in the form, and not the first button.
        form.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" || event.target === cancel) return;
            event.preventDefault();
            dialog.close("save");
        });
        dialog.showModal();
        form.querySelector("input").focus();
    });
}

/** Puts a value into a form's field as a person would. */
function setField(form, name, value) {
    const field = form.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`);
    if (!field || field.value === value) return;
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Asks about each conflict and fills the form with the answers; resolves to whether it is to be sent again. */
async function settle(form, conflict) {
    const theirs = await askWhichStay(conflict);
    if (!theirs) return false;
    const { merged, now } = conflict;
    for (const name of Object.keys(now)) {
        const own = name in merged ? merged[name] : now[name];
        setField(form, name, theirs.includes(name) ? now[name] : own);
        const opened = form.elements[`was.${name}`];
        if (opened) opened.value = now[name];
    }
    return true;
}
