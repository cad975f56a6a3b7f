// A job that runs in the background: its progress in every open page. Events come over the streams of tables and forms.
"use strict";

/** Shows a job's state; an empty one hides it. */
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

/** Follows the job on an event stream. */
function followJob(source) {
    source.addEventListener("job", (event) => showJob(JSON.parse(event.data)));
}
