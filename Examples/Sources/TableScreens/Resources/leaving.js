// Leaving a screen: the question before input is lost, Escape in modal forms, and objects that + has inserted and that
// are left without having been filled in. Used by screens.js.
"use strict";

// MARK: Input that is not saved

/** Whether the form has input that leaving loses. A draft keeps its input. */
function hasUnsavedInput() {
    const form = document.getElementById("form");
    if (!form || "draft" in form.dataset || "left" in form.dataset) return false;
    return [...form.elements].some((field) => field.type !== "hidden" && field.name && isFieldTouched(field));
}

/** Asks whether unsaved input may be lost; resolves to whether the page may be left. */
async function mayLoseInput() {
    const mayLeave = await showAlert({
        title: "Discard what you entered?",
        message: "It has not been saved.",
        cancel: "Keep Editing",
        confirm: "Discard",
    });
    if (mayLeave) document.getElementById("form").dataset.left = "";
    return mayLeave;
}

// Reload, a closed window and the browser's own back button: the browser asks in its own words.
addEventListener("beforeunload", (event) => {
    if (hasUnsavedInput()) event.preventDefault();
});

addEventListener("pageshow", (event) => {
    if (event.persisted) delete document.getElementById("form")?.dataset.left;
});

document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if (!document.body.classList.contains("modal") || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    document.querySelector("[data-back]")?.click();
});

// MARK: New objects

/** Remembers the object that + has inserted, until the reader leaves its screens. */
function noteNewObject(address, stamp) {
    sessionStorage.setItem("new", JSON.stringify({ address, stamp }));
}

/** Whether neither the screen at a path nor the one beside this list is among those of the object that + has inserted. */
function leavesNewObject(path) {
    const { address } = JSON.parse(sessionStorage.getItem("new") ?? "{}");
    if (address === undefined) return false;
    const beside = location.hash.slice(1).split("?")[0];
    return ![path, beside].some((one) => one === address || one.startsWith(`${address}/`));
}

/** Asks the server to delete the object that + has inserted, if it is still as it was inserted. */
async function leaveNewObject(path) {
    if (!leavesNewObject(path)) return;
    const { address, stamp } = JSON.parse(sessionStorage.getItem("new"));
    sessionStorage.removeItem("new");
    try {
        await fetch(`/${address.split("/")[1]}/-new`, { method: "POST", body: new URLSearchParams({ address, stamp }) });
    } catch {
        // The server deletes it later.
    }
}

addEventListener("pageshow", async (event) => {
    if (!event.persisted) return;
    // As at the start of a page: input in the object's form is saved first.
    await LiveForm.saveLeft(window.liveForm?.isDraft ? window.liveForm.address : null);
    await leaveNewObject(location.pathname);
});
