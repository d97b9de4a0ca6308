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
    this.seconds = element("input", { type: "number", min: "1", max: "3600", value: "60", "aria-label": "Time limit in seconds" });
    this.button = element("button", { text: "Learn again" });
    this.button.addEventListener("click", () => this.learn());
    const from = this._choice("From");
    const to = this._choice("To");
    const adding = Object.keys(this.lists).map((kind) => {
      const button = element("button", { text: kind === "required" ? "Require" : "Forbid" });
      button.addEventListener("click", () => this.add(kind, from.value, to.value));
      return button;
    });
    root.replaceChildren(
      element("p", { className: "muted", text: "Drag a line's name from Details into a list, or choose an arc here. Then learn again." }),
      element("div", { className: "toolbar", children: [from, "→", to, ...adding] }),
      ...zones,
      element("div", { className: "toolbar", children: [this.button, "within", this.seconds, "seconds"] }),
      this.said,
    );
    this._show();
    this._watch();
  }

  _choice(label) {
    return element("select", {
      "aria-label": label,
      children: this.page.nodes.map((node) => element("option", { text: node.name, value: node.name })),
    });
  }

  _zone(kind) {
    const list = element("ul");
    const zone = element("section", {
      className: "zone",
      "data-zone": kind,
      children: [element("h4", { text: kind === "required" ? "Required arcs" : "Forbidden arcs" }), list],
    });
    zone.addEventListener("dragover", (event) => event.preventDefault());
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      const arc = JSON.parse(event.dataTransfer.getData("application/x-qnml-arc") || "null");
      if (arc) this.add(kind, arc[0], arc[1]);
    });
    this.places[kind] = list;
    return zone;
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
    this._show();
  }

  _show() {
    for (const [kind, list] of Object.entries(this.places)) {
      list.replaceChildren(
        ...this.lists[kind].map((arc, k) => {
          const away = element("button", { className: "link", text: "take back", "aria-label": `Take back ${arc[0]} → ${arc[1]}` });
          away.addEventListener("click", () => {
            this.lists[kind].splice(k, 1);
            this._show();
          });
          return element("li", { children: [`${arc[0]} → ${arc[1]} `, away] });
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
        return;
      }
      this.button.disabled = state.running;
      if (!state.running) {
        if (state.number !== this.page.server.number) location.reload();
        return;
      }
      this.said.textContent = `Learning: ${state.elapsed.toFixed(0)} of at most ${state.seconds} seconds.`;
      await new Promise((done) => setTimeout(done, 300));
    }
  }
}
