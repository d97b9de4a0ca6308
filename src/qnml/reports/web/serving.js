// What a served page can do beyond a file: ask the library, and learn again with other knowledge.

/** Sends a question to the library that serves this page; errors come back as {error}. */
async function askServer(route, body) {
  try {
    const options = body ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) } : {};
    const response = await fetch(route, options);
    if (response.headers.get("Content-Type") === "application/json") return await response.json();
    return { error: await response.text() };
  } catch {
    return { error: "The library does not answer any more: qnml show has ended." };
  }
}

/** Answers by the library, for networks that are too large for the page. */
function servedAnswers(page) {
  const named = (map) => Object.fromEntries([...map].map(([v, l]) => [page.nodes[v].name, page.nodes[v].levels[l]]));
  return {
    canSet: true,
    async ask(evidence, settings) {
      const found = await askServer("answer", { evidence: named(evidence), do: named(settings) });
      if (found.error) return { refused: "server", variables: [], text: found.error };
      return { low: found.low ?? found.marginals, high: found.high ?? found.marginals, ...found };
    },
  };
}

/** The arcs that are required or forbidden, and learning again with them. */
class KnowledgePanel {
  constructor(root, page) {
    this.page = page;
    this.lists = { required: [...page.server.required], forbidden: [...page.server.forbidden] };
    this.places = {};
    const zones = Object.keys(this.lists).map((kind) => this._zone(kind));
    this.said = element("p", { role: "status" });
    this.bar = element("progress", { max: "1", value: "0", "aria-label": "Time used", hidden: "" });
    this.seconds = element("input", { type: "number", min: "1", max: "3600", value: "60", "aria-label": "Time limit in seconds" });
    this.button = element("button", { text: "Learn again" });
    this.button.addEventListener("click", () => this.learn());
    this.stop = element("button", { text: "Stop", hidden: "" });
    this.stop.addEventListener("click", () => askServer("stop", {}));
    const from = this._choice("From");
    const to = this._choice("To");
    const adding = Object.keys(this.lists).map((kind) => {
      const button = element("button", { text: kind === "required" ? "Require" : "Forbid" });
      button.addEventListener("click", () => this.add(kind, from.value, to.value));
      return button;
    });
    root.replaceChildren(
      element("p", { className: "muted", text: "Drag a line of the picture into a list, or choose an arc here. Then learn again." }),
      element("div", { className: "toolbar", children: [from, "→", to, ...adding] }),
      ...zones,
      element("div", { className: "toolbar", children: [this.button, "within", this.seconds, "seconds", this.stop] }),
      this.bar,
      this.said,
    );
    this._show();
    this._watch();
  }

  _choice(label) {
    return element("select", {
      "aria-label": label,
      children: this.page.nodes.map((node) => element("option", { text: node.shown, value: node.name })),
    });
  }

  _zone(kind) {
    const list = element("ul");
    const zone = element("section", {
      className: "zone",
      "data-zone": kind,
      children: [element("h3", { text: kind === "required" ? "Required arcs" : "Forbidden arcs" }), list],
    });
    this.places[kind] = list;
    return zone;
  }

  /** A line of the picture was dropped onto an element: perhaps one of the lists. */
  drop(line, target) {
    const zone = target?.closest("[data-zone]");
    if (zone) this.add(zone.dataset.zone, this.page.nodes[line.from].name, this.page.nodes[line.to].name);
  }

  add(kind, parent, child) {
    if (parent === child) {
      this.said.textContent = "An arc joins two variables.";
      return;
    }
    const same = ([a, b]) => a === parent && b === child;
    for (const arcs of Object.values(this.lists)) {
      const at = arcs.findIndex(same);
      if (at >= 0) arcs.splice(at, 1);
    }
    this.lists[kind].push([parent, child]);
    this._changed();
  }

  /** The library keeps the lists, so that neither the end of the page nor its own loses them. */
  async _changed() {
    this._show();
    const kept = await askServer("knowledge", this.lists);
    if (kept.error) this.said.textContent = kept.error;
  }

  _show() {
    for (const [kind, list] of Object.entries(this.places)) {
      list.replaceChildren(
        ...this.lists[kind].map((arc, k) => {
          const text = arc.map((name) => isolated(visible(name))).join(" → ");
          const away = element("button", { className: "link", text: "take back", "aria-label": `Take back ${text}` });
          away.addEventListener("click", () => {
            this.lists[kind].splice(k, 1);
            this._changed();
          });
          return element("li", { children: [`${text} `, away] });
        }),
      );
    }
  }

  async learn() {
    const begun = await askServer("learn", { ...this.lists, seconds: Number(this.seconds.value) });
    if (begun.error) this.said.textContent = begun.error;
    else this._watch();
  }

  /** Follows a running search; shows the network of the library where the page has an older one. */
  async _watch() {
    for (;;) {
      const state = await askServer("progress");
      if (state.error || state.failure) {
        this.said.textContent = state.error ?? state.failure;
        this.button.disabled = false;
        this.bar.hidden = this.stop.hidden = true;
        return;
      }
      this.button.disabled = state.running;
      this.bar.hidden = this.stop.hidden = !state.running;
      if (!state.running) {
        if (state.number !== this.page.server.number) location.reload();
        return;
      }
      this.bar.value = Math.min(state.elapsed / state.seconds, 1);
      this.said.textContent = `Learning for ${state.elapsed.toFixed(0)} seconds; the limit is ${state.seconds} seconds for each part of the page.`;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
}
