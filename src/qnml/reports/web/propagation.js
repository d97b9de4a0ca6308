// Exact inference in the page: calibration of a junction tree by Shafer-Shenoy messages.
//
// A table is {variables, values}: variables in increasing order, values with the last variable running fastest.

/**
 * The strides of the variables of a table, last fastest.
 * @param {number[]} variables
 * @param {number[]} levels number of levels of every variable of the network
 */
function stridesOf(variables, levels) {
  const strides = new Array(variables.length);
  let size = 1;
  for (let k = variables.length - 1; k >= 0; k--) {
    strides[k] = size;
    size *= levels[variables[k]];
  }
  return { strides, size };
}

/**
 * For every entry of a table over `variables`, the place of its entry in a table over the subset `part`.
 * @param {number[]} variables
 * @param {number[]} part
 * @param {number[]} levels
 */
function placesIn(variables, part, levels) {
  const { size } = stridesOf(variables, levels);
  const inner = stridesOf(part, levels).strides;
  const step = variables.map((v) => (part.includes(v) ? inner[part.indexOf(v)] : 0));
  const places = new Int32Array(size);
  const digits = new Array(variables.length).fill(0);
  let place = 0;
  for (let entry = 0; entry < size; entry++) {
    places[entry] = place;
    for (let k = variables.length - 1; k >= 0; k--) {
      digits[k]++;
      place += step[k];
      if (digits[k] < levels[variables[k]]) break;
      place -= step[k] * digits[k];
      digits[k] = 0;
    }
  }
  return places;
}

/** The probability tables of a network, multiplied into the cliques of a junction tree. */
class JunctionTree {
  /**
   * @param {number[]} levels
   * @param {{parents: number[], values: number[]}[]} tables the last axis of each is the variable itself
   * @param {{cliques: number[][], edges: number[][]}} tree cliques with increasing variables
   */
  constructor(levels, tables, tree) {
    this.levels = levels;
    this.tables = tables;
    this.cliques = tree.cliques;
    /** @type {Map<string, Int32Array>} */
    this.known = new Map();
    this.home = levels.map((_, v) => this._smallest([v]));
    this.base = this._product(new Set());
    this._order(tree.edges);
  }

  /** The places of the entries of a clique in a table over some of its variables, found once. */
  places(c, part) {
    const key = `${c} ${part.join()}`;
    const found = this.known.get(key) ?? placesIn(this.cliques[c], part, this.levels);
    this.known.set(key, found);
    return found;
  }

  /** The product of all tables in each clique, without those of the variables that are set from outside. */
  _product(omitted) {
    const potentials = this.cliques.map((clique) => new Float64Array(stridesOf(clique, this.levels).size).fill(1));
    this.tables.forEach((table, v) => {
      // The table of a variable with one level is all ones, and its parents need not share a clique.
      if (!omitted.has(v) && this.levels[v] > 1) this._multiply(potentials, [...table.parents, v], table.values);
    });
    return potentials;
  }

  _smallest(variables) {
    let best = -1;
    let least = Infinity;
    this.cliques.forEach((clique, c) => {
      const { size } = stridesOf(clique, this.levels);
      if (size < least && variables.every((v) => clique.includes(v))) [best, least] = [c, size];
    });
    return best;
  }

  /** Multiplies a table whose axes come in any order into the smallest clique that holds them. */
  _multiply(potentials, axes, values) {
    const c = this._smallest(axes);
    const sorted = [...axes].sort((a, b) => a - b);
    const own = stridesOf(axes, this.levels).strides;
    const sortedPlaces = this.places(c, sorted);
    // The entry of `values` that belongs to each entry of the table with sorted axes.
    const { strides, size } = stridesOf(sorted, this.levels);
    const source = new Int32Array(size);
    for (let entry = 0; entry < size; entry++) {
      let place = 0;
      sorted.forEach((v, k) => {
        place += (Math.floor(entry / strides[k]) % this.levels[v]) * own[axes.indexOf(v)];
      });
      source[entry] = place;
    }
    const target = potentials[c];
    for (let entry = 0; entry < target.length; entry++) target[entry] *= values[source[sortedPlaces[entry]]];
  }

  /** Orders the cliques from a root of each component to the leaves. */
  _order(edges) {
    const near = this.cliques.map(() => []);
    for (const [a, b] of edges) {
      near[a].push(b);
      near[b].push(a);
    }
    this.parent = new Array(this.cliques.length).fill(-1);
    this.down = [];
    const seen = new Set();
    this.cliques.forEach((_, root) => {
      if (seen.has(root)) return;
      seen.add(root);
      const waiting = [root];
      while (waiting.length) {
        const c = waiting.shift();
        this.down.push(c);
        for (const d of near[c]) {
          if (seen.has(d)) continue;
          seen.add(d);
          this.parent[d] = c;
          waiting.push(d);
        }
      }
    });
    this.separator = this.cliques.map((clique, c) =>
      this.parent[c] < 0 ? [] : clique.filter((v) => this.cliques[this.parent[c]].includes(v)),
    );
    this.fromChild = this.cliques.map((clique, c) => placesIn(clique, this.separator[c], this.levels));
    this.fromParent = this.cliques.map((_, c) =>
      this.parent[c] < 0 ? null : placesIn(this.cliques[this.parent[c]], this.separator[c], this.levels),
    );
  }

  /**
   * Calibrates the tree; null if the evidence has probability zero.
   * @param {Map<number, number>} evidence level by variable
   * @param {{axes: number[], values: number[]}[]} factors further tables to multiply in
   * @param {Set<number>} omitted variables whose tables do not count
   */
  calibrate(evidence, factors = [], omitted = new Set()) {
    const beliefs = omitted.size ? this._product(omitted) : this.base.map((table) => Float64Array.from(table));
    for (const factor of factors) this._multiply(beliefs, factor.axes, factor.values);
    for (const [v, level] of evidence) {
      const only = new Array(this.levels[v]).fill(0);
      only[level] = 1;
      this._multiply(beliefs, [v], only);
    }
    let logScale = 0;
    const up = new Array(this.cliques.length);
    const gather = (c, places, size) => {
      const message = new Float64Array(size);
      const table = beliefs[c];
      for (let entry = 0; entry < table.length; entry++) message[places[entry]] += table[entry];
      return message;
    };
    for (const c of [...this.down].reverse()) {
      const { size } = stridesOf(this.separator[c], this.levels);
      const message = gather(c, this.fromChild[c], size);
      const total = message.reduce((sum, x) => sum + x, 0);
      if (!(total > 0)) return null;
      logScale += Math.log(total);
      for (let k = 0; k < size; k++) message[k] /= total;
      up[c] = message;
      if (this.parent[c] >= 0) {
        const above = beliefs[this.parent[c]];
        const places = this.fromParent[c];
        for (let entry = 0; entry < above.length; entry++) above[entry] *= message[places[entry]];
      }
    }
    for (const c of this.down) {
      const parent = this.parent[c];
      if (parent < 0) continue;
      const message = gather(parent, this.fromParent[c], up[c].length);
      const total = message.reduce((sum, x) => sum + x, 0);
      for (let k = 0; k < message.length; k++) message[k] = up[c][k] > 0 ? message[k] / total / up[c][k] : 0;
      const table = beliefs[c];
      for (let entry = 0; entry < table.length; entry++) table[entry] *= message[this.fromChild[c][entry]];
    }
    return new Calibrated(this, beliefs, logScale);
  }
}

/** What a calibrated tree knows. */
class Calibrated {
  constructor(tree, beliefs, logProbability) {
    this.tree = tree;
    this.beliefs = beliefs;
    this.logProbability = logProbability;
  }

  /** The normalized table of variables that lie in one clique, in increasing order. */
  joint(variables) {
    const c = variables.length === 1 ? this.tree.home[variables[0]] : this.tree._smallest(variables);
    const places = this.tree.places(c, variables);
    const sums = new Float64Array(stridesOf(variables, this.tree.levels).size);
    let total = 0;
    this.beliefs[c].forEach((x, entry) => {
      sums[places[entry]] += x;
      total += x;
    });
    return sums.map((x) => x / total);
  }

  marginals() {
    return this.tree.levels.map((_, v) => Array.from(this.joint([v])));
  }
}

/**
 * The factor that turns P(everything, cause = level) into P(everything | do(cause = level)) if the direct causes of the
 * cause are `parents`: 1 / P(cause = level | parents). Null where that conditional probability is not defined.
 * @param {Calibrated} unconditional the tree without evidence
 */
function interventionFactor(unconditional, cause, level, parents) {
  const levels = unconditional.tree.levels;
  const axes = [...parents, cause].sort((a, b) => a - b);
  const table = unconditional.joint(axes);
  const places = placesIn(axes, parents, levels);
  const causeAt = axes.indexOf(cause);
  const stride = stridesOf(axes, levels).strides[causeAt];
  const sizes = stridesOf(parents, levels).size;
  const ofParents = new Float64Array(sizes);
  const withLevel = new Float64Array(sizes);
  table.forEach((p, entry) => {
    ofParents[places[entry]] += p;
    if (Math.floor(entry / stride) % levels[cause] === level) withLevel[places[entry]] += p;
  });
  const values = new Array(sizes).fill(0);
  for (let k = 0; k < sizes; k++) {
    if (withLevel[k] > 0) values[k] = ofParents[k] / withLevel[k];
    else if (ofParents[k] > 0) return null;
  }
  return { axes: parents, values };
}

/**
 * All marginals under evidence and interventions.
 *
 * With one intervention the answers for all parent sets that data and knowledge admit are computed: `low` and `high`
 * are their extremes. Several interventions need variables whose direct causes are known.
 * @param {JunctionTree} tree
 * @param {(number[][] | null)[]} parentSets admitted parent sets of every variable, that of the network first; null where
 *   there are too many
 * @param {Map<number, number>} evidence
 * @param {Map<number, number>} settings
 */
function answer(tree, parentSets, evidence, settings) {
  const many = [...settings.keys()].filter((v) => parentSets[v] === null);
  if (many.length) return { refused: "many", variables: many };
  const open = [...settings.keys()].filter((v) => parentSets[v].length > 1);
  if (settings.size > 1 && open.length) return { refused: "several", variables: open };
  const found = new Map([...evidence, ...settings]);
  const [cause, level] = settings.size === 1 ? [...settings][0] : [-1, -1];
  const results = [];
  const keep = (calibrated) => {
    if (calibrated !== null) results.push(calibrated);
    return calibrated !== null;
  };
  // In the network itself the tables of what is set do not count.
  if (!keep(tree.calibrate(found, [], new Set(settings.keys())))) return { refused: "impossible", variables: [] };
  const others = settings.size === 1 ? parentSets[cause].slice(1) : [];
  const unconditional = others.length ? tree.calibrate(new Map()) : null;
  for (const parents of others) {
    const factor = interventionFactor(unconditional, cause, level, parents);
    if (factor === null) return { refused: "undefined", variables: [cause] };
    if (!keep(tree.calibrate(found, [factor]))) return { refused: "impossible", variables: [] };
  }
  const marginals = results.map((one) => one.marginals());
  const extreme = (pick) =>
    marginals[0].map((row, v) => row.map((_, l) => pick(...marginals.map((one) => one[v][l]))));
  return {
    marginals: marginals[0],
    low: extreme(Math.min),
    high: extreme(Math.max),
    logProbability: results[0].logProbability,
  };
}
