// The home page and the page “Try to Break It”: two windows side by side, the menu, and the wait for a killed server.
"use strict";

/** Opens a screen in this window and in a second one beside it. */
function openTwoWindows(address) {
    const { availLeft = 0, availTop = 0, availWidth, availHeight } = screen;
    const width = Math.round(Math.min(1200, availWidth / 2));
    const left = Math.round(availLeft + availWidth - width);
    open(address, "_blank", `popup,left=${left},top=${availTop},width=${width},height=${availHeight}`);
    location.assign(address);
}

for (const button of document.querySelectorAll("[data-windows]")) {
    button.addEventListener("click", () => openTwoWindows(button.dataset.windows));
}

const menu = document.querySelector("details.menu");
if (menu) {
    document.addEventListener("click", (event) => {
        if (!menu.contains(event.target) || event.target.closest("button")) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        menu.open = false;
        menu.querySelector("summary").focus();
    });
}

for (const form of document.querySelectorAll(".experiment form")) {
    form.addEventListener("submit", () => {
        const button = form.querySelector("button");
        form.setAttribute("aria-busy", "true");
        button.disabled = true;
        // Until there is an answer, which may be an alert.
        const timer = setInterval(() => {
            if (isPosting) return;
            clearInterval(timer);
            form.removeAttribute("aria-busy");
            button.disabled = false;
        }, 100);
    });
}

/** Waits until a server that is about to end has ended and is there again, then asks for its report. */
async function waitForServer(name) {
    let hasEnded = false;
    for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 150));
        try {
            await fetch("/-alive", { cache: "no-store" });
            if (hasEnded) break;
        } catch {
            hasEnded = true;
        }
    }
    location.replace(`/-break?after=${name}#${name}`);
}

const ending = document.querySelector("[data-ending]");
if (ending) waitForServer(ending.dataset.ending);
document.querySelector(".report")?.focus({ preventScroll: true });
document.querySelector(".report")?.closest("section").scrollIntoView({ block: "nearest" });
