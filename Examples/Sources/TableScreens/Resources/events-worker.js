// A shared worker: reads one event stream for all tabs of a browser, and distributes its events to them. LiveSource, in
// live-source.js, is its only client. The stream has a line for each event: kind, version, address and data, separated by
// tabs. A change of the addresses begins another stream at the latest versions, before it ends the previous one.
"use strict";

/** The subscribers of each address, by key, and the latest version of which an event has arrived. */
const channels = new Map();
let stream = null;
let isOpen = false;
let timer = null;

onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data: { verb, number, address, version } }) => {
        if (verb === "open") subscribe(port, number, address, version);
        else unsubscribe(port, number);
    };
};

function subscribe(port, number, address, version) {
    const channel = channels.get(address);
    const subscriber = { port, number, version };
    if (channel) {
        channel.subscribers.push(subscriber);
        if (isOpen && !channel.isNew) welcome(channel, subscriber);
    } else {
        channels.set(address, { version, subscribers: [subscriber], isNew: true });
        schedule(10);
    }
}

/** Reports that the stream is open, to a subscriber that may have missed events that the others have received. */
function welcome(channel, subscriber) {
    const { port, number, version } = subscriber;
    port.postMessage({ number, kind: "open" });
    if (version !== channel.version) port.postMessage({ number, kind: "refresh", id: channel.version, data: "{}" });
    subscriber.version = channel.version;
}

function unsubscribe(port, number) {
    for (const [address, channel] of channels) {
        channel.subscribers = channel.subscribers.filter((one) => one.port !== port || one.number !== number);
        if (channel.subscribers.length) continue;
        channels.delete(address);
        schedule(200);
    }
}

function schedule(delay) {
    clearTimeout(timer);
    timer = setTimeout(connect, delay);
}

function send(channel, message) {
    for (const subscriber of channel.subscribers) {
        subscriber.port.postMessage({ number: subscriber.number, ...message });
        if (message.id) subscriber.version = message.id;
    }
}

async function connect() {
    const previous = stream;
    const current = (stream = new AbortController());
    if (!channels.size) {
        previous?.abort();
        isOpen = false;
        return;
    }
    const query = new URLSearchParams();
    for (const [address, { version }] of channels) {
        query.append("at", address);
        query.append("since", version);
    }
    try {
        const response = await fetch(`/-events?${query}`, { cache: "no-store", signal: current.signal });
        if (!response.ok) throw new Error(response.statusText);
        previous?.abort();
        if (stream !== current) return current.abort();
        for (const channel of channels.values()) {
            if (!isOpen || channel.isNew) for (const subscriber of channel.subscribers) welcome(channel, subscriber);
            channel.isNew = false;
        }
        isOpen = true;
        await read(response.body.pipeThrough(new TextDecoderStream()).getReader(), current);
        throw new Error("The stream has ended.");
    } catch {
        previous?.abort();
        if (stream !== current) return;
        isOpen = false;
        for (const channel of channels.values()) send(channel, { kind: "error" });
        schedule(1000);
    }
}

async function read(reader, current) {
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done || stream !== current) return;
        const lines = (rest + value).split("\n");
        rest = lines.pop();
        for (const line of lines) {
            const [kind, id, address, data] = line.split("\t");
            const channel = channels.get(address);
            if (!channel) continue;
            if (id) channel.version = id;
            send(channel, { kind, id, data });
        }
    }
}
