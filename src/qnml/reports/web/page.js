// The page: its state, the controls that change it, and the address that shares it.

function linesOf(page, state) {
  const strongest = Math.log1p(Math.max(1, ...page.arcs.map((arc) => arc.bits ?? 0)));
  const shareOf = (bits) => (bits === null ? 0.3 : Math.min(Math.log1p(Math.max(bits, 0)) / strongest, 1) ** 2);
  const bitsOf = new Map(page.arcs.map((arc) => [`${arc.from} ${arc.to}`, arc.bits]));
  const bits = (from, to) => bitsOf.get(`${from} ${to}`) ?? bitsOf.get(`${to} ${from}`) ?? null;
  const line = (from, to, directed) => {
    const lost = bits(from, to);
    const ends = endsText(page, { from, to, directed });
    return { from, to, directed, share: shareOf(lost), dashed: lost !== null && lost < 0, ends, title: lost === null ? ends : `${ends}: ${bitsText(lost)} bits` };
  };
  if (state.view === "network") return page.arcs.map((arc) => line(arc.from, arc.to, true));
  if (state.view === "class") return page.classEdges.map((edge) => line(edge.from, edge.to, edge.directed));
  if (state.view === "probabilities") {
    return page.probabilities.pairs
      .filter(([, , forward, back]) => forward + back >= state.threshold)
      .map(([i, j, forward, back]) => {
        const [from, to, most] = forward >= back ? [i, j, forward] : [j, i, back];
        const p = Math.min(forward + back, 1);
        const [there, again] = [endsText(page, { from: i, to: j, directed: true }), endsText(page, { from: j, to: i, directed: true })];
        const directed = most >= 0.75 * p;
        const title = `${there}: ${percent(forward)}, ${again}: ${percent(back)}`;
        return { from, to, directed, share: p, dashed: false, ends: endsText(page, { from, to, directed }), title };
      });
  }
  const entry = page.ranked.entries[state.rank];
  return [...entry.directed.map(([i, j]) => line(i, j, true)), ...entry.undirected.map(([i, j]) => line(i, j, false))];
}

/** The variable with its parents, children and the other parents of its children. */
function markovBlanket(page, v) {
  const members = new Set([v, ...page.nodes[v].parents]);
  page.nodes.forEach((node, u) => {
    if (node.parents.includes(v)) for (const member of [u, ...node.parents]) members.add(member);
  });
  return members;
}

/** The state that is shared by the address, and with a notebook: names and levels, so that people can read it. */
function sharedState(page, state) {
  const named = (map) => Object.fromEntries([...map].map(([v, l]) => [page.nodes[v].name, page.nodes[v].levels[l]]));
  const shared = { view: state.view };
  if (state.view === "probabilities") shared.threshold = state.threshold;
  if (state.view === "ranked") shared.rank = state.rank + 1;
  if (state.selected !== null) shared.variable = page.nodes[state.selected].name;
  if (state.evidence.size) shared.evidence = named(state.evidence);
  if (state.settings.size) shared.do = named(state.settings);
  return shared;
}

function toFragment(page, state) {
  return `#${encodeURIComponent(JSON.stringify(sharedState(page, state)))}`;
}

function fromFragment(page, fragment, state) {
  try {
    fromShared(page, JSON.parse(decodeURIComponent(fragment.slice(1))), state);
  } catch {
    // An address that somebody has changed shows the page as it is without it.
  }
}

/** Takes over what is known of a state; what has no sense is left as it is. */
function fromShared(page, shared, state) {
  if (typeof shared !== "object" || shared === null) return;
  const place = new Map(page.nodes.map((node, v) => [node.name, v]));
  const numbered = (named) => {
    const map = new Map();
    for (const [name, level] of Object.entries(typeof named === "object" && named !== null ? named : {})) {
      const v = place.get(name);
      const l = v === undefined ? -1 : page.nodes[v].levels.indexOf(level);
      if (l >= 0) map.set(v, l);
    }
    return map;
  };
  if (viewsOf(page).includes(shared.view)) state.view = shared.view;
  if (shared.threshold >= 0 && shared.threshold <= 1) state.threshold = Number(shared.threshold);
  if (page.ranked && shared.rank >= 1 && shared.rank <= page.ranked.entries.length) state.rank = Math.floor(shared.rank) - 1;
  if (place.has(shared.variable)) state.selected = place.get(shared.variable);
  state.evidence = numbered(shared.evidence);
  state.settings = numbered(shared.do);
  for (const v of state.settings.keys()) state.evidence.delete(v);
}

function viewsOf(page) {
  const views = ["network"];
  if (page.classEdges) views.push("class");
  if (page.probabilities) views.push("probabilities");
  if (page.ranked) views.push("ranked");
  return views;
}

const REFUSALS = {
  several: (names) =>
    `The direct causes of ${names} are not known from the data, so setting several variables at once has no single answer. Set one variable at a time.`,
  many: (names) =>
    `Data and knowledge admit too many sets of direct causes of ${names} for this page to show the range of the effect.`,
  undefined: (names) =>
    `In an equivalent network, ${names} never takes this level for some of its causes, so the effect is not defined there.`,
  impossible: () => "This evidence has probability zero in the network.",
};

/** @returns {any} the element of the page with this name */
function byId(id) {
  return document.getElementById(id);
}

/** @returns {any[]} the elements that match */
function all(selector) {
  return [...document.querySelectorAll(selector)];
}

// A notebook shows the page in a frame without an address of its own.
const IS_FRAMED = location.protocol === "about:";

class Page {
  constructor(page) {
    this.page = page;
    this.state = { view: "network", threshold: 0.5, rank: 0, selected: null, line: null, evidence: new Map(), settings: new Map(), search: "", mode: "evidence" };
    this.answers = makeAnswers(page);
    fromFragment(page, location.hash, this.state);
    const tip = new Tip(page);
    this.drawing = new Drawing(byId("network"), page, {
      onTip: (what, beside, event) => tip.show(what, beside, event),
      onCarry: () => this._tab("knowledge"),
      onDrop: page.server?.canLearn ? (line, target) => this.knowledge.drop(line, target) : null,
      onNode: (v) => this.choose(v),
      onLine: (line) => {
        this._tab("details");
        this.set({ line, selected: null });
      },
      onClear: () => this.set({ selected: null, line: null }),
    });
    this.whatIf = this.answers.refused ? null : new WhatIf(byId("what-if-bars"), page, (v, l) => this.click(v, l));
    this._controls();
    if (page.server?.canLearn) {
      all('[data-tab="knowledge"]')[0].hidden = false;
      this.knowledge = new KnowledgePanel(byId("knowledge"), page);
    }
    if (page.probabilities) {
      byId("heat-map").replaceChildren(heatMap(page, (v) => this.choose(v)));
    }
    this.show(true);
    const begin = () => Object.assign(this.state, { evidence: new Map(), settings: new Map(), selected: null });
    addEventListener("hashchange", () => {
      if (location.hash === toFragment(this.page, this.state)) return;
      begin();
      fromFragment(this.page, location.hash, this.state);
      this.show(true);
    });
    addEventListener("beforeprint", () => all("details").forEach((one) => (one.open = true)));
    // From the notebook around the page.
    addEventListener("qnml-ask", (event) => {
      begin();
      fromShared(this.page, /** @type {CustomEvent} */ (event).detail, this.state);
      this.show(true);
    });
  }

  /** Puts what is shown into the address, and tells the notebook around the page, if there is one. */
  _publish() {
    if (!IS_FRAMED) history.replaceState(null, "", toFragment(this.page, this.state));
    dispatchEvent(new CustomEvent("qnml-shown", { detail: sharedState(this.page, this.state) }));
  }

  choose(v) {
    const isChosen = this.state.selected === v;
    this.set({ selected: isChosen ? null : v, line: null });
    if (this.whatIf && !isChosen) this.whatIf.reveal(v);
  }

  set(changes) {
    const redraw = ["view", "threshold", "rank"].some((key) => key in changes && changes[key] !== this.state[key]);
    Object.assign(this.state, changes);
    this.show(redraw);
  }

  /** A bar was clicked: the level becomes evidence, or is set, or is taken back. */
  click(v, l) {
    const [mine, other] = this.state.mode === "do" ? [this.state.settings, this.state.evidence] : [this.state.evidence, this.state.settings];
    if (mine.get(v) === l) mine.delete(v);
    else if (other.get(v) === l) other.delete(v);
    else {
      if (this.answers.isSingle) this.state.evidence.clear();
      other.delete(v);
      mine.set(v, l);
    }
    this.show(false);
  }

  _controls() {
    const { page, state } = this;
    const on = (id, event, action) => byId(id).addEventListener(event, action);
    for (const option of all("[data-view]")) {
      option.hidden = !viewsOf(page).includes(option.dataset.view);
      option.addEventListener("click", () => this.set({ view: option.dataset.view, line: null }));
    }
    on("threshold", "input", (event) => this.set({ threshold: Number(event.target.value) }));
    on("rank-back", "click", () => this.set({ rank: Math.max(0, state.rank - 1) }));
    on("rank-on", "click", () => this.set({ rank: Math.min(page.ranked.entries.length - 1, state.rank + 1) }));
    on("zoom-in", "click", () => this.drawing.zoom(0.8));
    on("zoom-out", "click", () => this.drawing.zoom(1.25));
    on("zoom-fit", "click", () => this.drawing.fit());
    on("search", "input", (event) => this.set({ search: event.target.value }));
    on("search", "keydown", (event) => {
      const found = [...this.found()];
      if (event.key !== "Enter" || !found.length) return;
      this.drawing.centre(found[0]);
      this.set({ selected: found[0], line: null });
    });
    on("theme", "click", () => {
      const root = document.documentElement;
      const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = isDark ? "light" : "dark";
    });
    if (this.whatIf) on("reset", "click", () => this.set({ evidence: new Map(), settings: new Map() }));
    for (const button of all("[data-mode]")) {
      button.hidden = button.dataset.mode === "do" && !this.answers.canSet;
      button.addEventListener("click", () => this.set({ mode: button.dataset.mode }));
    }
    byId("share").hidden = IS_FRAMED;
    on("share", "click", async () => {
      const said = byId("share-said");
      this._publish();
      try {
        await navigator.clipboard.writeText(location.href);
        said.textContent = "The address is copied.";
      } catch {
        said.textContent = "The address of this page now holds what is shown: copy it.";
      }
    });
    for (const button of all("[data-tab]")) {
      button.addEventListener("click", () => this._tab(button.dataset.tab));
    }
  }

  _tab(name) {
    for (const button of all("[data-tab]")) {
      button.setAttribute("aria-selected", String(button.dataset.tab === name));
      byId(button.dataset.tab).hidden = button.dataset.tab !== name;
    }
  }

  found() {
    const asked = this.state.search.trim().toLowerCase();
    const found = new Set();
    if (asked) this.page.nodes.forEach((node, v) => node.name.toLowerCase().includes(asked) && found.add(v));
    return found;
  }

  show(redraw) {
    const { page, state } = this;
    if (redraw) this.drawing.show(linesOf(page, state));
    const found = this.found();
    this.drawing.mark({
      selected: state.selected,
      near: state.selected === null ? null : markovBlanket(page, state.selected),
      evidence: state.evidence,
      settings: state.settings,
      found,
    });
    this._showControls();
    this._showDetails();
    if (this.whatIf) {
      this._showAnswer();
      this.whatIf.filter((v) => !state.search.trim() || found.has(v));
    }
    this._publish();
  }

  _showControls() {
    const { page, state } = this;
    for (const option of all("[data-view]")) {
      option.setAttribute("aria-pressed", String(option.dataset.view === state.view));
    }
    for (const button of all("[data-mode]")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === state.mode));
    }
    byId("threshold-row").hidden = state.view !== "probabilities";
    byId("threshold").value = String(state.threshold);
    byId("threshold-said").textContent = percent(state.threshold);
    byId("rank-row").hidden = state.view !== "ranked";
    const said = { network: page.networkNote, class: page.classNote, probabilities: page.probabilities?.sentence, ranked: page.ranked?.sentence };
    byId("view-said").textContent = said[state.view] ?? "";
    if (state.view === "ranked") {
      const entry = page.ranked.entries[state.rank];
      byId("rank-said").textContent = `${state.rank + 1} of ${page.ranked.entries.length}: ${entry.said}`;
    }
  }

  _showDetails() {
    const { page, state } = this;
    const shown =
      state.selected !== null
        ? variablePanel(
            page,
            state.selected,
            (v) => this.choose(v),
            (line) => this.set({ line, selected: null }),
          )
        : state.line
          ? linePanel(page, state.line)
          : element("p", { className: "muted", text: "Choose a variable or a line of the picture to see what is known about it." });
    byId("details").replaceChildren(shown);
  }

  /** Answers of the page come at once; those of the library are awaited, and only the last question counts. */
  _showAnswer() {
    const { state } = this;
    const question = toFragment(this.page, { ...state, view: "", selected: null });
    if (question === this.answered) return;
    this.answered = question;
    const found = this.answers.ask(state.evidence, state.settings);
    if (!(found instanceof Promise)) this._present(found);
    else found.then((late) => question === this.answered && this._present(late));
  }

  _present(found) {
    const { page, state } = this;
    const said = byId("what-if-said");
    if (found.refused) {
      const names = found.variables.map((v) => isolated(page.nodes[v].shown)).join(", ");
      said.textContent = found.text ?? REFUSALS[found.refused](names);
      this.whatIf.show(null, state.evidence, state.settings);
      return;
    }
    const words = this.answers.isSingle ? ["This network is too large for a page: one observation at a time."] : [];
    if (state.evidence.size && found.logProbability !== null && !state.settings.size) {
      words.push(`Probability of the evidence: ${percent(Math.exp(found.logProbability))}.`);
    }
    const hasRange = found.high.some((row, v) => row.some((p, l) => p - found.low[v][l] > 5e-4));
    if (hasRange) {
      words.push("Data and knowledge admit several directions here: the ranges are over all of them.");
    }
    said.textContent = words.join(" ");
    this.whatIf.show(found, state.evidence, state.settings);
  }
}

/** The way to answers that fits the network: exact propagation, tables made beforehand, or none. */
function makeAnswers(page) {
  const { inference } = page;
  if (inference.refused) return page.server ? servedAnswers(page) : { refused: inference.refused };
  if (inference.single && page.server) return servedAnswers(page);
  if (inference.single) {
    // Marginals under no evidence and under each single piece of evidence.
    return {
      isSingle: true,
      canSet: false,
      ask(evidence) {
        const [entry] = [...evidence];
        const marginals = entry ? inference.single[entry[0]][entry[1]] : inference.none;
        if (!marginals) return { refused: "impossible", variables: [] };
        return { marginals, low: marginals, high: marginals, logProbability: entry ? Math.log(inference.none[entry[0]][entry[1]]) : null };
      },
    };
  }
  const tree = new JunctionTree(
    page.nodes.map((node) => node.levels.length),
    page.nodes.map((node) => ({ parents: node.parents, values: node.table })),
    inference.tree,
  );
  return { canSet: true, ask: (evidence, settings) => answer(tree, inference.parentSets, evidence, settings) };
}

const facts = JSON.parse(byId("facts").textContent);
for (const node of facts.nodes) {
  node.shown = visible(node.name);
  node.shownLevels = node.levels.map(visible);
}
new Page(facts);
