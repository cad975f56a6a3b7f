// The progress of a background job in every open page. Its events arrive over the streams of tables and forms.
"use strict";

/** Shows a job's state; an empty state hides it. */
function showJob({ title, words, percent, phase }) {
    const section = document.getElementById("job");
    if (!section) return;
    const wasRunning = section.classList.contains("running");
    section.hidden = !title;
    section.className = `job ${phase ?? ""}`;
    document.body.classList.toggle("with-job", Boolean(title));
    if (!title) return;
    section.querySelector(".job-title").textContent = title;
    section.querySelector(".job-words").textContent = words;
    const bar = section.querySelector("progress");
    bar.value = percent;
    bar.setAttribute("aria-label", title);
    bar.setAttribute("aria-valuetext", `${percent} %`);
    const button = section.querySelector("button");
    const isRunning = phase === "running";
    button.value = isRunning ? "cancel" : "dismiss";
    button.textContent = isRunning ? "Cancel" : "OK";
    if (wasRunning && !isRunning) document.getElementById("announcements").textContent = `${title}. ${words}`;
}

/** Shows the job events of an event stream. */
function followJob(source) {
    source.addEventListener("job", (event) => showJob(JSON.parse(event.data)));
}
