// The drawn network: nodes that can be dragged, lines that follow them, zooming and panning.

const SVG = "http://www.w3.org/2000/svg";

function svgElement(name, attributes = {}, text = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== null) element.textContent = text;
  return element;
}

/** A path of cubic curves through points: a start, then two handles and an end for each curve. */
function pathOf(route) {
  const [start, ...rest] = route.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`);
  return `M${start}C${rest.join(" ")}`;
}

/** One cubic curve between two boxes, leaving and arriving vertically unless they are side by side. */
function directRoute(from, to) {
  const drop = to.y - from.y;
  if (Math.abs(drop) < (from.h + to.h) / 2 + 6) {
    const side = Math.sign(to.x - from.x) || 1;
    const start = [from.x + (side * from.w) / 2, from.y];
    const end = [to.x - (side * to.w) / 2, to.y];
    const third = (end[0] - start[0]) / 3;
    return [start, [start[0] + third, start[1] - 12], [end[0] - third, end[1] - 12], end];
  }
  const way = Math.sign(drop);
  const start = [from.x, from.y + (way * from.h) / 2];
  const end = [to.x, to.y - (way * to.h) / 2];
  const middle = (start[1] + end[1]) / 2;
  return [start, [start[0], middle], [end[0], middle], end];
}

/** The corners of an arrowhead at the end of a route. */
function headOf(route, width) {
  const [x, y] = route[route.length - 1];
  let [fromX, fromY] = route[route.length - 2];
  if (fromX === x && fromY === y) [fromX, fromY] = route[route.length - 3];
  const far = Math.hypot(x - fromX, y - fromY) || 1;
  const [ux, uy] = [(x - fromX) / far, (y - fromY) / far];
  const length = 7 + 1.7 * width;
  const half = 0.42 * length;
  const [bx, by] = [x - ux * length, y - uy * length];
  return `M${x},${y}L${bx - uy * half},${by + ux * half}L${bx + uy * half},${by - ux * half}Z`;
}

/** A picture of the network in an SVG element. */
class Drawing {
  /**
   * @param {SVGSVGElement} svg
   * @param {object} page the facts of the page
   * @param {{onNode: Function, onLine: Function, onClear: Function, onTip: Function, onCarry: Function,
   *   onDrop: Function | null}} events what happens when a node or a line is chosen, when nothing is, when something is
   *   pointed at (or nothing), and when a line is taken up and dropped onto an element
   */
  constructor(svg, page, events) {
    this.svg = svg;
    this.page = page;
    this.events = events;
    this.boxes = page.nodes.map((node) => ({ ...node.box }));
    this.moved = new Set();
    this.routes = new Map(page.arcs.map((arc) => [`${arc.from} ${arc.to}`, arc.route]));
    this.world = svgElement("g");
    this.lineLayer = svgElement("g", { class: "lines" });
    this.nodeLayer = svgElement("g", { class: "nodes" });
    this.world.append(this.lineLayer, this.nodeLayer);
    svg.replaceChildren(this.world);
    this.carried = null;
    this.nodes = page.nodes.map((node, v) => this._node(node, v));
    this.lines = [];
    this._listen();
    this.fit();
  }

  _node(node, v) {
    const group = svgElement("g", { class: "node", tabindex: 0, role: "button", "data-node": v, "aria-label": node.description });
    group.append(svgElement("rect", { rx: 6 }), svgElement("text", {}, node.label));
    group.addEventListener("keydown", (event) => this._nodeKey(event, v));
    group.addEventListener("focus", () => group.matches(":focus-visible") && this.events.onTip({ node: v }, group));
    group.addEventListener("blur", () => this.events.onTip(null));
    this._tips(group, { node: v });
    this.nodeLayer.append(group);
    this._place(group, v);
    return group;
  }

  /** Says what the pointer is over. */
  _tips(group, what) {
    group.addEventListener("pointerenter", (event) => event.buttons === 0 && this.events.onTip(what, group, event));
    group.addEventListener("pointerleave", () => this.events.onTip(null));
  }

  _nodeKey(event, v) {
    const step = { ArrowLeft: [-8, 0], ArrowRight: [8, 0], ArrowUp: [0, -8], ArrowDown: [0, 8] }[event.key];
    if (event.key === "Enter" || event.key === " ") this.events.onNode(v);
    else if (step && event.shiftKey) this.move(v, this.boxes[v].x + step[0], this.boxes[v].y + step[1]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  _place(group, v) {
    const { x, y, w, h } = this.boxes[v];
    const [rect, text] = group.children;
    for (const [key, value] of Object.entries({ x: x - w / 2, y: y - h / 2, width: w, height: h })) {
      rect.setAttribute(key, String(value));
    }
    text.setAttribute("x", String(x));
    text.setAttribute("y", String(y + 4.4));
  }

  /** Shows lines: {from, to, directed, share (0 to 1), dashed, title}. */
  show(lines) {
    this.lines = lines.map((line) => {
      const group = svgElement("g", { class: "line", role: "img", "data-from": line.from, "data-to": line.to, "aria-label": line.title });
      group.append(svgElement("path", { class: "reach" }), svgElement("path", { class: "stroke" }));
      if (line.directed) group.append(svgElement("path", { class: "head" }));
      if (line.dashed) group.classList.add("dashed");
      group.style.setProperty("--width", String(1.1 + 3.3 * line.share));
      group.style.setProperty("--share", String(0.35 + 0.65 * line.share));
      group.addEventListener("click", (event) => {
        event.stopPropagation();
        this.events.onLine(line);
      });
      this._tips(group, { line });
      return { ...line, group };
    });
    this.lineLayer.replaceChildren(...this.lines.map((line) => line.group));
    for (const line of this.lines) this._draw(line);
  }

  _route(line) {
    const isMoved = this.moved.has(line.from) || this.moved.has(line.to);
    if (!isMoved && this.routes.has(`${line.from} ${line.to}`)) return this.routes.get(`${line.from} ${line.to}`);
    if (!isMoved && this.routes.has(`${line.to} ${line.from}`)) {
      return [...this.routes.get(`${line.to} ${line.from}`)].reverse();
    }
    return directRoute(this.boxes[line.from], this.boxes[line.to]);
  }

  _draw(line) {
    const route = this._route(line);
    line.group.querySelector(".reach").setAttribute("d", pathOf(route));
    line.group.querySelector(".stroke").setAttribute("d", pathOf(route));
    const head = line.group.querySelector(".head");
    if (head) head.setAttribute("d", headOf(route, 1.1 + 3.3 * line.share));
  }

  move(v, x, y) {
    this.boxes[v].x = x;
    this.boxes[v].y = y;
    this.moved.add(v);
    this._place(this.nodes[v], v);
    for (const line of this.lines) if (line.from === v || line.to === v) this._draw(line);
  }

  /** Marks nodes: which are selected, shown in full, given as evidence or set from outside. */
  mark({ selected, near, evidence, settings, found }) {
    this.svg.classList.toggle("focused", near !== null);
    this.nodes.forEach((group, v) => {
      group.classList.toggle("selected", v === selected);
      group.classList.toggle("near", near !== null && near.has(v));
      group.classList.toggle("evidence", evidence.has(v));
      group.classList.toggle("set", settings.has(v));
      group.classList.toggle("found", found.has(v));
      group.setAttribute("aria-pressed", String(v === selected));
      group.setAttribute("aria-label", this.page.nodes[v].description);
    });
    for (const line of this.lines) {
      line.group.classList.toggle("near", near !== null && near.has(line.from) && near.has(line.to));
    }
  }

  fit() {
    const left = Math.min(...this.boxes.map((box) => box.x - box.w / 2)) - 20;
    const right = Math.max(...this.boxes.map((box) => box.x + box.w / 2)) + 20;
    const top = Math.min(...this.boxes.map((box) => box.y - box.h / 2)) - 20;
    const bottom = Math.max(...this.boxes.map((box) => box.y + box.h / 2)) + 20;
    // Small networks are not blown up: text stays at most half again as large as that of the page.
    const [w, h] = [Math.max(right - left, this.svg.clientWidth / 1.5), Math.max(bottom - top, 60)];
    this.view = { x: (left + right - w) / 2, y: top, w, h };
    // A flat network leaves no empty space below it.
    this.svg.style.setProperty("--tall", `${Math.max(200, Math.ceil((h * this.svg.clientWidth) / w))}px`);
    this._apply();
  }

  zoom(factor, at = null) {
    const { x, y, w, h } = this.view;
    const centre = at ?? [x + w / 2, y + h / 2];
    const scale = Math.min(Math.max(factor, 40 / w), 40000 / w);
    this.view = { x: centre[0] - (centre[0] - x) * scale, y: centre[1] - (centre[1] - y) * scale, w: w * scale, h: h * scale };
    this._apply();
  }

  /** Brings a node into the middle. */
  centre(v) {
    this.view.x = this.boxes[v].x - this.view.w / 2;
    this.view.y = this.boxes[v].y - this.view.h / 2;
    this._apply();
  }

  pan(dx, dy) {
    this.view.x += dx * this.view.w;
    this.view.y += dy * this.view.h;
    this._apply();
  }

  _apply() {
    const { x, y, w, h } = this.view;
    this.svg.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
  }

  _point(event) {
    const matrix = this.svg.getScreenCTM();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /** Shows the name of a line at the pointer that carries it. */
  _carry(line, event) {
    if (!this.carried) this.events.onCarry();
    this.carried ??= document.body.appendChild(element("div", { className: "carried", text: line.ends }));
    this.carried.style.left = `${event.clientX}px`;
    this.carried.style.top = `${event.clientY}px`;
  }

  _drop() {
    this.carried?.remove();
    this.carried = null;
  }

  _listen() {
    /** @type {any} what the pointer holds: a node or the view, and where it began */
    let held = null;
    this.svg.addEventListener("pointerdown", (event) => {
      const target = /** @type {Element} */ (event.target);
      const group = /** @type {SVGElement | null} */ (target.closest(".node"));
      const start = this._point(event);
      held = { start, view: { ...this.view }, moved: false, id: event.pointerId, client: [event.clientX, event.clientY] };
      if (group) {
        held.node = Number(group.dataset.node);
        held.offset = [start[0] - this.boxes[held.node].x, start[1] - this.boxes[held.node].y];
        return;
      }
      const over = target.closest(".line");
      if (over) held.line = this.lines.find((line) => line.group === over);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!held) return;
      const far = Math.hypot(event.clientX - held.client[0], event.clientY - held.client[1]);
      if (!held.moved && far < 4) return;
      if (!held.moved) {
        this.svg.setPointerCapture(held.id);
        this.events.onTip(null);
      }
      held.moved = true;
      if (held.line) {
        if (this.events.onDrop) this._carry(held.line, event);
        return;
      }
      if (held.node !== undefined) {
        const [x, y] = this._point(event);
        this.move(held.node, x - held.offset[0], y - held.offset[1]);
        return;
      }
      const scale = this.view.w / this.svg.clientWidth;
      const tall = Math.max(scale, this.view.h / this.svg.clientHeight);
      this.view.x = held.view.x - (event.clientX - held.client[0]) * tall;
      this.view.y = held.view.y - (event.clientY - held.client[1]) * tall;
      this._apply();
    });
    this.svg.addEventListener("pointerup", (event) => {
      if (held?.line) {
        // A click on a line is told by the line itself.
        if (held.moved && this.events.onDrop) this.events.onDrop(held.line, document.elementFromPoint(event.clientX, event.clientY));
      } else if (held && !held.moved) {
        if (held.node !== undefined) this.events.onNode(held.node);
        else this.events.onClear();
      }
      this._drop();
      held = null;
    });
    this.svg.addEventListener("pointercancel", () => {
      this._drop();
      held = null;
    });
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== this.svg && !this.svg.contains(document.activeElement)) return;
        event.preventDefault();
        this.zoom(Math.exp(event.deltaY * 0.0015), this._point(event));
      },
      { passive: false },
    );
    this.svg.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] };
      if (event.key === "+" || event.key === "=") this.zoom(0.8);
      else if (event.key === "-") this.zoom(1.25);
      else if (event.key === "0") this.fit();
      else if (event.key === "Escape") this.events.onClear();
      else if (steps[event.key]) this.pan(...steps[event.key]);
      else return;
      event.preventDefault();
    });
  }
}
