// The panels beside the picture: what is known of a variable or an arc, and the bars of What if.

/**
 * An HTML element with a class, text or children; text is never taken for markup.
 * @param {string} name
 * @param {{className?: string, text?: string | null, children?: (Node | string)[], [attribute: string]: any}} content
 * @returns {any}
 */
function element(name, { className = "", text = null, children = [], ...attributes } = {}) {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (text !== null) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** @type {Record<string, string>} */
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text as it is shown: characters that would vanish or turn the line around are written out. */
function visible(text) {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (letter) => {
    const code = /** @type {number} */ (letter.codePointAt(0));
    if (letter in SHORT) return SHORT[letter];
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A name within a sentence: the letters of one that runs from right to left do not change places with its neighbours. */
function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/** An arc or an edge in words. */
function endsText(page, line) {
  return `${isolated(page.nodes[line.from].shown)} ${line.directed ? "→" : "—"} ${isolated(page.nodes[line.to].shown)}`;
}

function percent(p) {
  if (p > 0 && p < 0.001) return "<0.1%";
  if (p < 1 && p > 0.999) return ">99.9%";
  return `${(100 * p).toFixed(1)}%`;
}

function bitsText(bits) {
  return Math.abs(bits) >= 100 ? bits.toFixed(0) : bits.toFixed(1);
}

const MOST_ROWS = 64;

/** The table of a variable given its parents, its first rows if there are many. */
function conditionalTable(page, v, mostRows = MOST_ROWS) {
  const node = page.nodes[v];
  if (!node.table) return element("p", { text: "Its probability table is too large for this page." });
  const parents = node.parents;
  const rows = node.table.length / node.levels.length;
  const head = element("tr", {
    children: [
      ...parents.map((p) => element("th", { scope: "col", text: page.nodes[p].shown })),
      ...node.shownLevels.map((level) => element("th", { scope: "col", className: "number", text: level })),
    ],
  });
  const body = [];
  for (let row = 0; row < Math.min(rows, mostRows); row++) {
    const cells = [];
    let rest = row;
    for (let k = parents.length - 1; k >= 0; k--) {
      const levels = page.nodes[parents[k]].shownLevels;
      cells.unshift(element("th", { scope: "row", text: levels[rest % levels.length] }));
      rest = Math.floor(rest / levels.length);
    }
    for (let level = 0; level < node.levels.length; level++) {
      const p = node.table[row * node.levels.length + level];
      cells.push(element("td", { className: "number", text: percent(p), title: String(p) }));
    }
    body.push(element("tr", { children: cells }));
  }
  const children = [
    element("table", {
      children: [element("thead", { children: [head] }), element("tbody", { children: body })],
    }),
  ];
  if (rows > mostRows) children.push(element("p", { text: `The first ${mostRows} of ${rows} rows.` }));
  return element("div", { className: "scroll", children });
}

/** How often each level was observed. */
function histogram(node) {
  if (!node.counts) return null;
  const most = Math.max(...node.counts, 1);
  const total = node.counts.reduce((sum, count) => sum + count, 0) || 1;
  return element("div", {
    className: "bars",
    children: node.shownLevels.map((level, l) =>
      element("div", {
        className: "bar plain",
        children: [
          element("span", { className: "label", dir: "auto", text: level }),
          element("span", {
            className: "track",
            children: [element("span", { className: "fill", style: `width:${(100 * node.counts[l]) / most}%` })],
          }),
          element("span", { className: "value", text: `${node.counts[l]} (${percent(node.counts[l] / total)})` }),
        ],
      }),
    ),
  });
}

/** Everything about one variable; its relatives and the arcs to them can be chosen. */
function variablePanel(page, v, choose, chooseArc) {
  const node = page.nodes[v];
  const children = page.nodes.map((_, u) => u).filter((u) => page.nodes[u].parents.includes(v));
  const list = (title, members, arcOf) =>
    element("p", {
      children: [
        `${title}: `,
        ...(members.length ? members : [null]).flatMap((u, k) => {
          if (u === null) return ["none"];
          const link = element("button", { className: "link", dir: "auto", text: page.nodes[u].shown });
          link.addEventListener("click", () => choose(u));
          const arc = page.arcs.find(arcOf(u));
          const text = arc.bits === null ? "arc" : `${bitsText(arc.bits)} bits`;
          const about = element("button", { className: "link", text, "aria-label": `${endsText(page, { ...arc, directed: true })}: ${text}` });
          about.addEventListener("click", () => chooseArc({ ...arc, directed: true }));
          return [...(k ? [", "] : []), link, " (", about, ")"];
        }),
      ],
    });
  const parts = [element("h3", { dir: "auto", text: node.shown })];
  if (node.prepared) parts.push(element("p", { className: "muted", text: node.prepared }));
  parts.push(
    list("Parents", node.parents, (u) => (arc) => arc.from === u && arc.to === v),
    list("Children", children, (u) => (arc) => arc.from === v && arc.to === u),
  );
  const counts = histogram(node);
  if (counts) parts.push(element("h4", { text: "Observed" }), counts);
  parts.push(element("h4", { text: node.parents.length ? "Probabilities given its parents" : "Probabilities" }));
  parts.push(conditionalTable(page, v));
  return element("div", { children: parts });
}

/** Everything about one line of the picture. */
function linePanel(page, line) {
  const [a, b] = [line.from, line.to].map((v) => isolated(page.nodes[v].shown));
  const rows = [element("h3", { text: endsText(page, line) })];
  const say = (text) => rows.push(element("p", { text }));
  const arc = page.arcs.find((one) => (one.from === line.from && one.to === line.to) || (one.from === line.to && one.to === line.from));
  if (arc && arc.bits !== null) {
    say(`Without it the score loses ${bitsText(arc.bits)} bits.`);
  }
  const edge = page.classEdges?.find((one) => (one.from === line.from && one.to === line.to) || (one.from === line.to && one.to === line.from));
  if (edge) {
    const text = edge.directed
      ? `All equivalent networks that are admitted have ${endsText(page, edge)}.`
      : page.undirectedNote;
    say(text);
  }
  if (page.probabilities) {
    const pair = page.probabilities.pairs.find(([i, j]) => (i === line.from && j === line.to) || (i === line.to && j === line.from));
    const [forward, back] = !pair ? [0, 0] : pair[0] === line.from ? [pair[2], pair[3]] : [pair[3], pair[2]];
    say(`${page.probabilities.word}: ${a} → ${b} ${percent(forward)}, ${b} → ${a} ${percent(back)}.`);
  }
  return element("div", { children: rows });
}

/** The bars of all variables; those of `marginals` under evidence and settings. */
class WhatIf {
  constructor(root, page, change) {
    this.page = page;
    this.change = change;
    this.rows = page.nodes.map((node, v) => this._card(node, v));
    root.replaceChildren(...this.rows.map((row) => row.card));
  }

  _card(node, v) {
    const bars = node.levels.map((_, l) => {
      const fill = element("span", { className: "fill" });
      const span = element("span", { className: "span" });
      const value = element("span", { className: "value" });
      const bar = element("button", {
        className: "bar",
        "aria-pressed": "false",
        children: [element("span", { className: "label", dir: "auto", text: node.shownLevels[l], title: node.shownLevels[l] }), " ", element("span", { className: "track", children: [fill, span] }), value],
      });
      bar.addEventListener("click", () => this.change(v, l));
      return { bar, fill, span, value };
    });
    const state = element("span", { className: "state" });
    const heading = element("h3", { children: [element("span", { dir: "auto", text: node.shown }), state] });
    const card = element("section", {
      className: "card",
      "data-card": v,
      "aria-label": node.shown,
      children: [heading, element("div", { className: "bars", children: bars.map((one) => one.bar) })],
    });
    return { card, bars, state };
  }

  /** Shows an answer; null leaves the bars empty. */
  show(found, evidence, settings) {
    this.rows.forEach(({ card, bars, state }, v) => {
      const node = this.page.nodes[v];
      const given = evidence.has(v) ? "given" : settings.has(v) ? "set" : "";
      state.textContent = given;
      card.classList.toggle("given", given !== "");
      bars.forEach(({ bar, fill, span, value }, l) => {
        const isPressed = evidence.get(v) === l || settings.get(v) === l;
        bar.setAttribute("aria-pressed", String(isPressed));
        if (!found) {
          value.textContent = "–";
          fill.style.width = span.style.width = "0";
          bar.setAttribute("aria-label", `${isolated(node.shownLevels[l])} –, ${isolated(node.shown)}`);
          return;
        }
        const [p, low, high] = [found.marginals[v][l], found.low[v][l], found.high[v][l]];
        const isRange = high - low > 5e-4;
        fill.style.width = `${100 * (isRange ? low : p)}%`;
        span.style.left = `${100 * low}%`;
        span.style.width = isRange ? `${100 * (high - low)}%` : "0";
        value.textContent = isRange ? `${percent(low)} to ${percent(high)}` : percent(p);
        value.title = isRange ? `${low} to ${high}` : String(p);
        bar.setAttribute("aria-label", `${isolated(node.shownLevels[l])} ${value.textContent}, ${isolated(node.shown)}`);
      });
    });
  }

  filter(matches) {
    this.rows.forEach(({ card }, v) => (card.hidden = !matches(v)));
  }

  reveal(v) {
    this.rows[v].card.scrollIntoView({ block: "nearest" });
  }
}

/** The probabilities of all arcs, row to column, as a grid. */
function heatMap(page, choose) {
  const n = page.nodes.length;
  const cell = Math.max(6, Math.min(22, Math.floor(720 / n)));
  const named = cell >= 10;
  const margin = named ? 16 + 5.4 * Math.max(...page.nodes.map((node) => node.label.length)) : 20;
  const svg = svgElement("svg", { viewBox: `0 0 ${margin + n * cell + 4} ${margin + n * cell + 4}`, width: margin + n * cell + 4, role: "img" });
  svg.setAttribute("aria-label", `${page.probabilities.word} from the row to the column; the list of arcs has the figures.`);
  svg.append(svgElement("rect", { x: margin, y: margin, width: n * cell, height: n * cell, class: "ground" }));
  for (const [i, j, forward, back] of page.probabilities.pairs) {
    for (const [row, column, p] of [[i, j, forward], [j, i, back]]) {
      if (p < 0.005) continue;
      const rect = svgElement("rect", { x: margin + column * cell, y: margin + row * cell, width: cell - 1, height: cell - 1, class: "heat" });
      rect.style.setProperty("--p", String(p));
      rect.append(svgElement("title", {}, `${endsText(page, { from: row, to: column, directed: true })}: ${percent(p)}`));
      rect.addEventListener("click", () => choose(row));
      svg.append(rect);
    }
  }
  if (named) {
    page.nodes.forEach((node, v) => {
      const middle = margin + (v + 0.7) * cell;
      svg.append(svgElement("text", { x: margin - 4, y: middle, class: "row" }, node.label));
      svg.append(svgElement("text", { x: margin + (v + 0.5) * cell, y: margin - 5, class: "column", transform: `rotate(-60 ${margin + (v + 0.5) * cell} ${margin - 5})` }, node.label));
    });
  }
  return svg;
}

const TIP_ROWS = 8;

/** What is told of a node or a line while the pointer is over it: the table and the histogram, or bits and probability. */
class Tip {
  constructor(page) {
    this.page = page;
    this.box = document.querySelector("main").appendChild(element("div", { className: "tip", role: "tooltip", id: "tip", hidden: "" }));
    this.box.addEventListener("pointerleave", () => this.show(null));
    addEventListener("keydown", (event) => event.key === "Escape" && this.show(null));
    addEventListener("scroll", () => this.show(null), { passive: true });
  }

  /** @param {{node?: number, line?: any} | null} what @param {Element} [beside] @param {PointerEvent} [event] */
  show(what, beside, event) {
    document.querySelector("[aria-describedby=tip]")?.removeAttribute("aria-describedby");
    this.box.hidden = what === null;
    if (what === null || !beside) return;
    this.box.replaceChildren(...(what.line ? [linePanel(this.page, what.line)] : this._node(what.node)));
    beside.setAttribute("aria-describedby", "tip");
    const at = beside.getBoundingClientRect();
    const [x, y] = event ? [event.clientX, event.clientY] : [at.left, at.bottom];
    const { width, height } = this.box.getBoundingClientRect();
    this.box.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - width - 8))}px`;
    this.box.style.top = `${y + 18 + height < innerHeight ? y + 18 : Math.max(4, y - height - 14)}px`;
  }

  _node(v) {
    const node = this.page.nodes[v];
    const parts = [element("h3", { dir: "auto", text: node.shown })];
    const counts = histogram(node);
    if (counts) parts.push(counts);
    parts.push(conditionalTable(this.page, v, TIP_ROWS));
    return parts;
  }
}
