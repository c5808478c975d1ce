// Part of open-tileiras. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The explorer's page. Everything it shows is in the JSON element `facts` (Explorer.h describes it). A place is a line of a source
// file, "FILE:LINE"; the lines of all texts that belong to a place are linked by it.
'use strict';
(() => {
const facts = JSON.parse(document.getElementById('facts').textContent);
const $ = id => document.getElementById(id);
const el = (tag, attributes = {}, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes))
    if (k.startsWith('on')) e.addEventListener(k.slice(2), v); else if (v !== null && v !== undefined && v !== false) e.setAttribute(k, v);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
};
const svg = (tag, attributes = {}, ...children) => {
  const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...children);
  return e;
};
const colour = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const dark = () => document.documentElement.dataset.theme === 'dark';
// Okabe and Ito's colours, which can be told apart with any colour vision; lightness follows the theme.
const HUES = [[211, 75], [36, 92], [158, 60], [12, 80], [268, 55], [190, 70], [330, 58], [62, 70], [100, 40], [230, 25]];
const hue = (k, l) => { const [h, s] = HUES[((k % 10) + 10) % 10]; return `hsl(${h} ${s}% ${l ?? (dark() ? 42 : 72)}%)`; };
const percent = x => x >= 0.0995 ? (100 * x).toFixed(0) + ' %' : (100 * x).toFixed(1) + ' %';
const group = n => Math.round(n).toLocaleString('en-US').replace(/,/g, '\u202f');
const stages = facts.stages || [], files = facts.files || [], remarks = facts.remarks || [];
const layouts = facts.layouts || [], timing = facts.timing || null, trace = facts.trace || null;
const bytes = n => n >= 1024 ? (n / 1024).toFixed(n % 1024 ? 1 : 0) + ' KiB' : n + ' B';
const base = name => name.split('/').pop();

// --- Places: what belongs to which source line ------------------------------------------------------------------------------------
const place = (file, line) => file + ':' + line;
// texts: the source files that are there, then the stages. Each has, by line from 1, the places it belongs to.
const texts = [];
files.forEach((f, k) => {
  if (f.text === undefined) return;
  const places = [], used = new Set();
  for (const s of stages) for (const [, file, line] of s.locations) if (file === k) used.add(line);
  for (const r of remarks) if (r.file === f.name) used.add(r.line);
  for (const line of used) places[line] = [place(k, line)];
  texts.push({ id: 'file' + k, name: base(f.name), title: f.name, file: k, text: f.text, places, kind: /\.py$/.test(f.name) ? 'python' : 'mlir' });
});
const stageTitles = { cuda_tile: 'cuda_tile', tileaa: 'nv_tileaa: aliases, tokens', tileas: 'nv_tileas: layouts', llvm: 'llvm + nvvm', ptx: 'PTX', layouts: 'nv_tileas as given', input: 'input' };
stages.forEach(s => {
  const places = [];
  for (const [line, file, sourceLine] of s.locations) (places[line] ||= []).push(place(file, sourceLine));
  texts.push({ id: s.name, name: stageTitles[s.name] || s.name, title: s.name, text: s.text, places, kind: s.name === 'ptx' ? 'ptx' : 'mlir' });
});
const byId = Object.fromEntries(texts.map(t => [t.id, t]));
// How many lines of PTX a place has, and how much of the time.
const ptxCount = {}, clocks = {}, ptxClocks = [];
if (byId.ptx) byId.ptx.places.forEach(list => list && new Set(list).forEach(p => ptxCount[p] = (ptxCount[p] || 0) + 1));
let allClocks = 0;
for (const l of (timing && timing.lines) || []) {
  allClocks += l.clocks;
  ptxClocks[l.ptx_line] = l;
  for (const p of new Set((byId.ptx && byId.ptx.places[l.ptx_line]) || [])) clocks[p] = (clocks[p] || 0) + l.clocks;
}
const fileOf = name => files.findIndex(f => f.name === name);
const remarksAt = {};
remarks.forEach(r => { const f = fileOf(r.file); if (f >= 0) (remarksAt[place(f, r.line)] ||= []).push(r); });
const diagnosticsAt = {};
(facts.diagnostics || []).forEach(d => { const f = fileOf(d.file); if (f >= 0) (diagnosticsAt[place(f, d.line)] ||= []).push(d); });
const order = [...new Set(texts.flatMap(t => t.places.flatMap(p => p || [])))].sort((a, b) => {
  const [x, y] = a.split(':').map(Number), [u, v] = b.split(':').map(Number); return x - u || y - v; });
const placeHue = Object.fromEntries(order.map((p, k) => [p, k]));
const usesOf = {};   // line of tileas -> layouts
for (const [line, layout] of facts.layout_uses || []) (usesOf[line] ||= []).push(layout);

// --- Colours of text --------------------------------------------------------------------------------------------------------------
const RULES = {
  mlir: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(%[\w$.#]+)|([#!@][\w$.]+)|(\b(?:tensor|tile|tensor_view|partition_view|memref|ptr|token|vector|struct)\b(?=<)|\b(?:[if]\d+|bf16|tf32|index|f\dE\w+|f32)\b)|(-?\b\d[\w.+]*\b)|(\b[a-z_]\w*(?:\.[a-z_][\w.]*)+\b|\b(?:module|entry|func|return|yield|for|if|else|loop|continue|break|constant|load\w*|store\w*|reduce|scan|mmaf?\w*|make_\w+|broadcast|reshape|permute|assume)\b)/g,
  ptx: /(\/\/.*$)|("(?:[^"\\]|\\.)*")|(%[\w$.]+)|(\$L\w+|[\w$]+:$)|(\.(?:[usbf]\d+(?:x\d)?|bf16(?:x2)?|pred|tf32|e\dm\d(?:x2)?)\b)|(-?\b(?:0[fdx][0-9a-fA-F]+|\d[\w.]*)\b)|(^\s*(?:@!?%\w+\s+)?\.?[a-z][\w.]*)/g,
  python: /(#.*$)|("""[^]*?"""|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\b(?:self|ct|tl|np)\b)|(@[\w.]+)|(\b(?:int|float|bool|str)\b)|(\b\d[\w.]*\b)|(\b(?:def|return|for|in|if|else|elif|while|import|from|as|with|class|None|True|False|and|or|not|lambda|pass|break|continue)\b)/g,
};
const CLASSES = ['c', 's', 'v', 'a', 't', 'd', 'k'];
function paint(node, text, kind) {
  const rule = RULES[kind]; let last = 0;
  rule.lastIndex = 0;
  for (let m; (m = rule.exec(text)) && m[0];) {
    if (m.index > last) node.append(text.slice(last, m.index));
    const at = m.slice(1).findIndex(g => g !== undefined);
    node.append(el('span', { class: CLASSES[at] }, m[0]));
    last = m.index + m[0].length;
  }
  node.append(text.slice(last));
}

// --- Code -------------------------------------------------------------------------------------------------------------------------
const panes = [];
let selected = new Set();
const remarkText = r => [el('b', {}, r.category + ' · ' + r.name), el('span', {}, (r.args.Reason || '') +
  (Object.keys(r.args).length > 1 ? '  (' + Object.entries(r.args).filter(([k]) => k !== 'Reason').map(([k, v]) => k + ' ' + v).join(', ') + ')' : ''))];

class Pane {
  constructor(number, id) {
    this.number = number; this.cursor = 0;
    this.choice = el('select', { 'aria-label': 'Text of pane ' + (number + 1), onchange: () => { this.show(this.choice.value); } },
      ...texts.map(t => el('option', { value: t.id, title: t.title }, t.name)));
    this.count = el('span', { class: 'count' });
    this.remarkToggle = el('button', { 'aria-pressed': 'true', title: 'Remarks in place (r)', onclick: () => toggleRemarks() }, 'Remarks');
    this.lines = el('div', { class: 'lines', tabindex: 0, role: 'listbox', 'aria-label': 'Lines of pane ' + (number + 1),
      onclick: e => { const l = e.target.closest('.line'); if (l && !String(getSelection())) { this.moveTo(+l.dataset.n); choose(this.places(+l.dataset.n), this); } },
      onkeydown: e => this.key(e), onmousemove: e => this.hover(e), onmouseleave: () => tip() });
    this.root = el('section', { class: 'pane' + (number === 2 ? ' third' : ''), id: 'pane' + number },
      el('div', { class: 'bar' }, this.choice, this.count, number === 0 && remarks.length ? this.remarkToggle : null), this.lines);
    this.show(id);
  }
  places(n) { return this.text.places[n] || []; }
  show(id) {
    this.text = byId[id] || texts[0]; this.choice.value = this.text.id; this.cursor = 0;
    this.nodes = [];
    const rows = this.text.text.replace(/\n$/, '').split('\n'), isFile = this.text.file !== undefined;
    const fragment = document.createDocumentFragment();
    let chunk;
    rows.forEach((row, k) => {
      if (k % 100 === 0) fragment.append(chunk = el('div', { class: 'chunk' }));
      const n = k + 1, list = this.places(n), node = el('div', { class: 'line' + (list.length ? ' linked' : ''), 'data-n': n, role: 'option' });
      if (list.length) node.style.borderLeftColor = hue(placeHue[list[0]]);
      node.append(el('span', { class: 'n' }, String(n)));
      const gutter = el('span', { class: 'g' });
      const share = isFile ? (clocks[list[0]] || 0) / (allClocks || 1) : this.text.id === 'ptx' && ptxClocks[n] ? ptxClocks[n].clocks / allClocks : 0;
      if (isFile && ptxCount[list[0]]) gutter.append(timing ? percent(share) : '×' + ptxCount[list[0]]);
      else if (!isFile && share >= 0.001) gutter.append(percent(share));
      if (share > 0.005) { const bar = el('i'); bar.style.width = Math.max(2, 22 * Math.min(1, share * 2)) + 'px'; gutter.append(bar); }
      if (isFile || this.text.id === 'ptx' && timing) node.append(gutter);
      const code = el('span', { class: 'code' }); paint(code, row, this.text.kind); node.append(code);
      chunk.append(node); this.nodes[n] = node;
      if (isFile) for (const p of list) {
        for (const d of diagnosticsAt[p] || []) chunk.append(el('div', { class: 'remark error' }, el('b', {}, d.severity), d.message));
        const here = (remarksAt[p] || []).slice().sort((a, b) => (b.kind === 'missed') - (a.kind === 'missed'));
        const rows = here.map(r => el('div', { class: 'remark ' + r.kind }, ...remarkText(r)));
        chunk.append(...rows.slice(0, 2));
        if (rows.length > 2) chunk.append(el('details', { class: 'more' }, el('summary', {}, `${rows.length - 2} more remark${rows.length > 3 ? 's' : ''}`), ...rows.slice(2)));
      }
    });
    this.lines.replaceChildren(fragment);
    this.lines.scrollTop = 0;
    this.mark(false);
  }
  mark(scroll) {
    let first = null, count = 0;
    this.nodes.forEach((node, n) => {
      const on = this.places(n).some(p => selected.has(p));
      node.classList.toggle('sel', on);
      node.setAttribute('aria-selected', on);
      if (on) { count++; first ||= node; }
    });
    this.count.textContent = count ? count + (count === 1 ? ' line' : ' lines') : group(this.nodes.length - 1) + ' lines';
    if (scroll && first) first.scrollIntoView({ block: 'center', inline: 'start', behavior: 'instant' });
  }
  moveTo(n) {
    this.nodes[this.cursor]?.classList.remove('cursor');
    this.cursor = Math.max(1, Math.min(this.nodes.length - 1, n));
    this.nodes[this.cursor]?.classList.add('cursor');
  }
  key(e) {
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9 }[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (step) {
      e.preventDefault(); this.moveTo((this.cursor || (step > 0 ? 0 : 1)) + step);
      this.nodes[this.cursor].scrollIntoView({ block: 'nearest', inline: 'start' }); choose(this.places(this.cursor), this);
    } else if (e.key === 'ArrowRight' || e.key === 'ArrowLeft' || e.key === 'l' || e.key === 'h') {
      e.preventDefault(); const next = panes[(this.number + (e.key === 'ArrowRight' || e.key === 'l' ? 1 : panes.length - 1)) % panes.length]; next.lines.focus();
    }
  }
  hover(e) {
    const line = e.target.closest('.line'); if (!line) return tip();
    const n = +line.dataset.n, says = [];
    if (this.text.id === 'tileas') for (const k of usesOf[n] || []) says.push(shapeText(layouts[k]) + ' in ' + layouts[k].memory + ': see Layouts');
    const t = this.text.id === 'ptx' && ptxClocks[n];
    if (t) says.push('executed ' + group(t.executed) + ' times by warps', ...Object.entries(t.reasons).sort((a, b) => b[1] - a[1]).map(([r, c]) => percent(c / t.clocks) + ' ' + r));
    if (this.text.file !== undefined && ptxCount[this.places(n)[0]]) says.push(ptxCount[this.places(n)[0]] + ' instructions of PTX');
    tip(says.length ? says.join('\n') : '', e);
  }
}
function tip(text, e) {
  const t = $('tip'); t.hidden = !text; if (!text) return;
  t.textContent = text;
  t.style.left = Math.min(e.clientX + 14, innerWidth - t.offsetWidth - 8) + 'px';
  t.style.top = Math.min(e.clientY + 16, innerHeight - t.offsetHeight - 8) + 'px';
}
function choose(list, from) {
  selected = new Set(list);
  for (const p of panes) p.mark(p !== from && selected.size > 0);
  remember();
}
function toggleRemarks() {
  const off = document.body.classList.toggle('hide-remarks');
  for (const p of panes) p.remarkToggle.setAttribute('aria-pressed', String(!off));
}
/** Shows a place of the source in the code view. */
function goTo(p) { showView('code'); const pane = panes.find(x => x.text.file === +p.split(':')[0]) || panes[0];
  if (pane.text.file !== +p.split(':')[0]) pane.show('file' + p.split(':')[0]);
  choose([p], null); panes.forEach(x => x.mark(true)); }
function goToLine(id, n) { showView('code'); const pane = panes.find(x => x.text.id === id) || panes[panes.length - 1];
  if (pane.text.id !== id) pane.show(id);
  pane.moveTo(n); choose(pane.places(n), pane); pane.nodes[n]?.scrollIntoView({ block: 'center', inline: 'start' }); pane.lines.focus({ preventScroll: true }); }

/** The source file that most of the kernel comes from. */
function mainFile() {
  const linked = t => t.places.reduce((n, p) => n + (p ? 1 : 0), 0);
  return texts.filter(t => t.file !== undefined).reduce((best, t) => !best || linked(t) > linked(best) ? t : best, null);
}
function codeView(view) {
  view.classList.add('code');
  const has = texts.map(t => t.id), source = mainFile() ? mainFile().id : has[0];
  const wanted = [source, has.includes('tileas') ? 'tileas' : has[Math.max(1, has.length - 2)], has.includes('ptx') ? 'ptx' : has[has.length - 1]];
  [...new Set(wanted.filter(Boolean))].forEach((id, k) => { const pane = new Pane(k, id); panes.push(pane); view.append(pane.root); });
}

// --- Remarks ----------------------------------------------------------------------------------------------------------------------
function remarksView(view) {
  const kinds = [...new Set(remarks.map(r => r.kind))], categories = [...new Set(remarks.map(r => r.category))];
  const on = new Set();
  const body = el('tbody');
  const fill = () => {
    const chosen = remarks.filter(r => [...on].every(x => r.kind === x || r.category === x || on.has(r.kind) && kinds.includes(x) || on.has(r.category) && categories.includes(x)));
    body.replaceChildren(...chosen.map(r => {
      const f = fileOf(r.file);
      return el('tr', {}, el('td', {}, el('span', { class: 'kind ' + r.kind }, r.kind)), el('td', {}, r.category), el('td', {}, r.name),
        el('td', {}, f >= 0 && files[f].text !== undefined ? el('a', { href: '#code=' + place(f, r.line), onclick: e => { e.preventDefault(); goTo(place(f, r.line)); } }, base(r.file) + ':' + r.line) : r.file ? base(r.file) + ':' + r.line : ''),
        el('td', {}, r.args.Reason || ''), el('td', {}, Object.entries(r.args).filter(([k]) => k !== 'Reason').map(([k, v]) => k + ' ' + v).join(', ')));
    }));
    note.textContent = chosen.length + ' of ' + remarks.length + ' remarks';
  };
  const note = el('span', { class: 'note' });
  view.append(el('div', { class: 'filters' }, ...[...kinds, ...categories].map(x => el('button', { 'aria-pressed': 'false', onclick: e => {
    on.has(x) ? on.delete(x) : on.add(x); e.target.setAttribute('aria-pressed', String(on.has(x))); fill(); } }, x)), note),
    el('table', { id: 'remarks' }, el('thead', {}, el('tr', {}, ...['', 'Category', 'Remark', 'Line', 'Why', 'Figures'].map(t => el('th', {}, t)))), body));
  fill();
}

// --- Layouts ----------------------------------------------------------------------------------------------------------------------
const shapeText = l => l.shape.join('×') + ' ' + l.element;
/** The coordinate that the bits of a number add up to. */
function follow(bases, number, rank) {
  const c = new Array(rank).fill(0);
  bases.forEach((b, k) => { if (number >> k & 1) b.forEach((x, d) => c[d] ^= x); });
  return c;
}
/** Owners of every element: flat index -> [{register, lane, warp, block} or {offset}]. */
function owners(layout) {
  const ins = Object.keys(layout.bases).filter(k => layout.bases[k].length), rank = layout.shape.length;
  const size = layout.shape.reduce((a, b) => a * b, 1), found = new Array(size), copies = new Uint16Array(size);
  const total = ins.reduce((a, k) => a * 2 ** layout.bases[k].length, 1);
  const parts = ins.map(k => Array.from({ length: 2 ** layout.bases[k].length }, (_, n) => follow(layout.bases[k], n, rank)));
  const index = ins.map(() => 0);
  for (let i = 0; i < Math.min(total, 1 << 20); i++) {
    const c = new Array(rank).fill(0);
    ins.forEach((k, j) => parts[j][index[j]].forEach((x, d) => c[d] ^= x));
    const flat = c.reduce((a, x, d) => a * layout.shape[d] + x, 0);
    if (flat < size) { if (!found[flat]) found[flat] = Object.fromEntries(ins.map((k, j) => [k, index[j]])); copies[flat]++; }
    for (let j = 0; j < ins.length && ++index[j] === parts[j].length; j++) index[j] = 0;
  }
  return { found, copies, ins };
}
function layoutsView(view) {
  const counts = layouts.map(() => 0), firsts = [];
  for (const [line, k] of facts.layout_uses || []) { counts[k]++; firsts[k] ??= line; }
  const panel = el('div'), list = el('div', { class: 'list', role: 'listbox', 'aria-label': 'Layouts' });
  let mode = 'warp';
  const show = k => {
    const l = layouts[k], { found, copies, ins } = owners(l), size = found.length;
    [...list.children].forEach((b, j) => b.setAttribute('aria-selected', String(j === k)));
    const choices = ins.filter(x => x !== 'offset');
    if (ins.includes('offset')) choices.push('bank', 'offset');
    if (!choices.includes(mode)) mode = choices.includes('warp') ? 'warp' : choices.includes('lane') ? 'lane' : choices[0];
    // The last dimension goes across; vectors are folded.
    let columns = l.shape[l.shape.length - 1] || 1, folded = false;
    if (size > 32 && (size === columns || columns === 1) || columns === 1 && size > 1) { folded = size > 32; columns = Math.min(32, size); }
    const rows = Math.ceil(size / columns), room = Math.max(300, panel.clientWidth - 24);
    const cell = Math.max(4, Math.min(34, Math.floor(room / columns), Math.floor(2600 / rows)));
    const scale = devicePixelRatio || 1;
    const canvas = el('canvas', { id: 'layout', role: 'img', 'aria-label': 'Who owns which element of a tile of ' + shapeText(l), width: columns * cell * scale, height: rows * cell * scale });
    canvas.style.width = columns * cell + 'px'; canvas.style.height = rows * cell + 'px';
    const bits = { i1: 8, f16: 16, bf16: 16, f32: 32, f64: 64 }[l.element] || +(l.element.match(/\d+/) || [16])[0];
    const value = o => mode === 'bank' ? Math.floor(o.offset * bits / 32) % 32 : o[mode] || 0;
    const draw = thread => {
      const c = canvas.getContext('2d'); c.setTransform(scale, 0, 0, scale, 0, 0); c.clearRect(0, 0, columns * cell, rows * cell);
      c.font = Math.min(11, cell * .36) + 'px ' + colour('mono'); c.textAlign = 'center'; c.textBaseline = 'middle';
      for (let i = 0; i < size; i++) {
        const o = found[i], x = i % columns * cell, y = Math.floor(i / columns) * cell;
        if (!o) continue;
        const mine = !thread || (o.lane === thread.lane && o.warp === thread.warp && o.block === thread.block && (thread.offset === undefined || value(o) === value(thread)));
        c.globalAlpha = mine ? 1 : .18; c.fillStyle = hue(value(o), (dark() ? 34 : 66) + Math.floor(value(o) / 8) % 4 * 5);
        c.fillRect(x, y, cell - (cell > 8 ? 1 : 0), cell - (cell > 8 ? 1 : 0));
        if (cell >= 24) { c.fillStyle = colour('text'); c.globalAlpha = mine ? .9 : .3;
          const t = 'offset' in o ? [String(o.offset), 'b' + Math.floor(o.offset * bits / 32) % 32] : ['T' + ((o.warp || 0) * 32 + (o.lane || 0)), 'r' + (o.register || 0)];
          c.fillText(t[0], x + cell / 2, y + cell * .34); c.fillText(t[1], x + cell / 2, y + cell * .7); }
      }
      c.globalAlpha = 1;
    };
    const at = e => { const r = canvas.getBoundingClientRect(); const i = Math.floor((e.clientY - r.top) / cell) * columns + Math.floor((e.clientX - r.left) / cell); return i >= 0 && i < size ? i : -1; };
    canvas.addEventListener('mousemove', e => {
      const i = at(e), o = i >= 0 && found[i]; if (!o) { tip(); return; }
      let rest = i; const c = l.shape.slice().reverse().map(n => { const x = rest % n; rest = Math.floor(rest / n); return x; }).reverse();
      tip('[' + c.join(', ') + ']   ' + Object.entries(o).map(([k, v]) => k + ' ' + v).join(', ') + ('lane' in o ? '   thread ' + ((o.warp || 0) * 32 + o.lane) : '') + ('offset' in o ? '   bank ' + Math.floor(o.offset * bits / 32) % 32 : '') + (copies[i] > 1 ? '\n' + copies[i] + ' places hold it' : ''), e);
      draw(o);
    });
    canvas.addEventListener('mouseleave', () => { tip(); draw(); });
    const threads = 2 ** ((l.bases.lane || []).length + (l.bases.warp || []).length), registers = 2 ** (l.bases.register || []).length;
    panel.replaceChildren(
      el('h2', {}, shapeText(l) + ' in ' + l.memory),
      el('p', { class: 'note' }, l.memory === 'registers' ? `${registers} element${registers > 1 ? 's' : ''} in each of ${threads} threads` + (threads * registers > size ? `, so that every element has ${threads * registers / size} copies.` : '.') : `${size} elements, ${bytes(size * bits / 8)}.`,
        folded ? ` It is shown in rows of ${columns}.` : '', ' Point at an element to see what else its thread holds.'),
      el('div', { class: 'filters' }, 'Colour: ', ...choices.map(x => el('button', { 'aria-pressed': String(x === mode), onclick: () => { mode = x; show(k); } }, x)),
        firsts[k] ? el('a', { href: '#', onclick: e => { e.preventDefault(); goToLine('tileas', firsts[k]); } }, 'first used in line ' + firsts[k]) : null),
      el('div', { class: 'grid' }, canvas), el('h2', {}, 'Bases'),
      el('pre', { class: 'bases' }, Object.entries(l.bases).filter(([, b]) => b.length).map(([name, b]) => name.padEnd(9) + b.map((x, j) => `bit ${j} → [${x.join(', ')}]`).join('   ')).join('\n')));
    draw();
  };
  layouts.forEach((l, k) => list.append(el('button', { role: 'option', onclick: () => show(k) }, shapeText(l), el('small', {}, `${l.memory}, ${counts[k]} ${counts[k] === 1 ? 'value' : 'values'}`))));
  view.append(el('div', { class: 'split' }, list, panel));
  const extent = l => l.shape.reduce((a, b) => a * b, 1), first = layouts.reduce((best, l, k) => extent(l) * counts[k] > extent(layouts[best]) * counts[best] ? k : best, 0);
  view.refresh = () => { const k = [...list.children].findIndex(b => b.getAttribute('aria-selected') === 'true'); show(k < 0 ? first : k); };
}

// --- Resources --------------------------------------------------------------------------------------------------------------------
function summaryView(view) {
  const meter = (title, value, limit, unit, text) => {
    const m = el('div', { class: 'card' }, el('h3', {}, title), el('div', { class: 'big' }, text ?? group(value), el('small', {}, ' ' + unit)));
    if (limit) { const i = el('i'); i.style.width = Math.min(100, 100 * value / limit) + '%'; m.append(el('div', { class: 'meter', title: percent(value / limit) }, i)); }
    return m;
  };
  const t = facts.target || {};
  for (const r of facts.resources || []) {
    view.append(el('h2', {}, r.function + ', as assembled'), el('div', { class: 'cards' },
      meter('Registers', r.registers, 255, 'of 255 per thread'), meter('Shared memory', r.shared, t.dynamic_shared_bytes, 'of ' + bytes(t.dynamic_shared_bytes || 0) + ' per block', bytes(r.shared)),
      meter('Spills', r.spill_stores + r.spill_loads, 0, 'per thread', bytes(r.spill_stores + r.spill_loads)), meter('Stack', r.stack, 0, 'per thread', bytes(r.stack)), meter('Barriers', r.barriers, 16, 'of 16')));
  }
  if (!(facts.resources || []).length) view.append(el('p', { class: 'note' }, 'No ptxas was asked: registers and spills are not known. What the compiler estimated is among the remarks (resources).'));
  const ptx = byId.ptx;
  if (ptx) {
    const kinds = {};
    for (const line of ptx.text.split('\n')) {
      const m = line.match(/^\s+(?:@!?%\w+\s+)?([a-z]\w*)((?:[.:]+[\w]+)*)/);
      if (!m || line.trim().startsWith('.') || line.trim().startsWith('//')) continue;
      const space = (m[2].match(/\.(global|shared|local|param|const)\b/) || [])[1];
      const name = /^(ld|st|atom|red|cp)$/.test(m[1]) && space ? m[1] + '.' + space : m[1];
      kinds[name] = (kinds[name] || 0) + 1;
    }
    const rows = Object.entries(kinds).sort((a, b) => b[1] - a[1]), most = rows.length ? rows[0][1] : 1;
    const bars = el('div', { class: 'bars' });
    for (const [k, n] of rows.slice(0, 24)) { const i = el('i'); i.style.cssText = `width:${100 * n / most}%;background:${hue(0)}`; bars.append(el('code', {}, k), el('div', { class: 'bar' }, i), el('span', {}, String(n))); }
    const table = el('table', {}, el('thead', {}, el('tr', {}, el('th', {}, 'Stage'), el('th', { class: 'num' }, 'Lines'), el('th', { class: 'num' }, 'With a place in the source'))),
      el('tbody', {}, ...stages.map(s => el('tr', {}, el('td', {}, el('a', { href: '#', onclick: e => { e.preventDefault(); goToLine(s.name, 1); } }, stageTitles[s.name] || s.name)), el('td', { class: 'num' }, group(s.text.split('\n').length - 1)), el('td', { class: 'num' }, group(new Set(s.locations.map(l => l[0])).size))))));
    view.append(el('div', { class: 'cards' }, el('div', {}, el('h2', {}, 'Instructions of PTX, in the text'), el('div', { class: 'card' }, bars)), el('div', {}, el('h2', {}, 'Stages'), table,
      el('h2', {}, 'Compiled with'), el('table', {}, el('tbody', {}, ...Object.entries(facts.options || {}).filter(([, v]) => v !== '' && v !== 0).map(([k, v]) => el('tr', {}, el('td', {}, k), el('td', { class: 'num' }, String(v)))), el('tr', {}, el('td', {}, 'open-tileiras'), el('td', { class: 'num' }, facts.version)))))));
  }
}

// --- Time -------------------------------------------------------------------------------------------------------------------------
function timeView(view) {
  const t = timing, intensity = t.flop && t.dram_bytes ? t.flop / t.dram_bytes : 0;
  view.append(el('h2', {}, `${t.kernel} on ${t.machine}, predicted`), el('div', { class: 'cards' },
    ...[['Time', t.microseconds >= 1000 ? (t.microseconds / 1000).toFixed(2) : t.microseconds.toFixed(2), t.microseconds >= 1000 ? 'ms' : 'µs'], ['Cycles', group(t.cycles), '± ' + t.error_percent.toFixed(0) + ' %'],
      ['Arithmetic', t.tflops < 1 ? t.tflops.toFixed(2) : t.tflops.toFixed(0), `of ${t.peak_tflops.toFixed(0)} TFLOP/s`], ['DRAM', group(t.gbs), `of ${group(t.peak_gbs)} GB/s`], ['Blocks', String(t.blocks_per_sm), 'per SM, ' + t.waves.toFixed(t.waves < 1 ? 2 : 1) + ' waves']].map(([h, v, u]) => el('div', { class: 'card' }, el('h3', {}, h), el('div', { class: 'big' }, v, el('small', {}, ' ' + u))))),
    el('p', { class: 'note' }, 'Limited by ' + t.limiter + (t.second ? '; next by ' + t.second + ', ' + t.slack_percent.toFixed(0) + ' points behind.' : '.') + (t.unmodelled.length ? ' Not modelled: ' + t.unmodelled.join('; ') + '.' : '')));
  const row = el('div', { class: 'cards' }); view.append(row);
  if (intensity > 0) row.append(el('div', { class: 'card' }, el('h3', {}, 'Roofline'), roofline(t, intensity)));
  const units = el('div', { class: 'bars' });
  for (const [k, v] of Object.entries(t.units).sort((a, b) => b[1] - a[1])) { const i = el('i'); i.style.cssText = `width:${100 * Math.min(1, v)}%;background:${hue(0)}`; units.append(el('span', {}, k), el('div', { class: 'bar' }, i), el('span', {}, percent(v))); }
  row.append(el('div', { class: 'card' }, el('h3', {}, 'Units, busy share of the time'), units));
  const sum = r => Object.values(t.stalls).reduce((a, s) => a + (s[r] || 0), 0);
  const reasons = [...new Set(Object.values(t.stalls).flatMap(s => Object.keys(s)))].sort((a, b) => sum(b) - sum(a)), stack = el('div', { class: 'bars' });
  for (const [role, s] of Object.entries(t.stalls)) { const bar = el('div', { class: 'bar' }); reasons.forEach((r, k) => { if (s[r]) { const i = el('i', { title: r + ' ' + percent(s[r]) }); i.style.cssText = `width:${100 * s[r]}%;background:${hue(k)}`; bar.append(i); } }); stack.append(el('span', {}, role), bar, el('span', {}, '')); }
  view.append(el('h2', {}, 'What warps wait for'), el('div', { class: 'card' }, stack, el('div', { class: 'legend' }, ...reasons.map((r, k) => { const i = el('i'); i.style.background = hue(k); return el('span', {}, i, r); }))));
  const ptx = byId.ptx ? byId.ptx.text.split('\n') : [];
  view.append(el('h2', {}, 'Lines'), el('table', { id: 'hot' }, el('thead', {}, el('tr', {}, el('th', { class: 'num' }, 'Share'), el('th', {}, 'Mostly'), el('th', { class: 'num' }, 'PTX line'), el('th', {}, 'Instruction'), el('th', {}, 'Source'))), el('tbody', {},
    ...t.lines.slice(0, 30).map(l => { const reason = Object.entries(l.reasons).sort((a, b) => b[1] - a[1])[0], f = fileOf(l.source_file);
      return el('tr', {}, el('td', { class: 'num' }, percent(l.clocks / allClocks)), el('td', {}, reason ? reason[0] : ''), el('td', { class: 'num' }, el('a', { href: '#', onclick: e => { e.preventDefault(); goToLine('ptx', l.ptx_line); } }, String(l.ptx_line))), el('td', { class: 'mono' }, (ptx[l.ptx_line - 1] || '').trim()),
        el('td', {}, f >= 0 && l.source_line ? el('a', { href: '#', onclick: e => { e.preventDefault(); goTo(place(f, l.source_line)); } }, base(l.source_file) + ':' + l.source_line) : '')); }))));
}
function roofline(t, intensity) {
  const w = 470, h = 260, left = 52, bottom = 34, right = 26, x0 = -2, x1 = 4, top = Math.log10(t.peak_tflops) + .4, y0 = Math.min(Math.log10(Math.max(1e-6, t.tflops)) - .5, Math.log10(t.peak_gbs * 10 ** x0 / 1e3));
  const X = v => left + (Math.log10(v) - x0) / (x1 - x0) * (w - left - right), Y = v => 10 + (top - Math.log10(v)) / (top - y0) * (h - bottom - 10);
  const s = svg('svg', { width: w, height: h, viewBox: `0 0 ${w} ${h}`, role: 'img', 'aria-label': 'Roofline', 'font-size': 11, fill: 'currentColor' });
  for (let k = x0; k <= x1; k++) s.append(svg('line', { x1: X(10 ** k), x2: X(10 ** k), y1: 10, y2: h - bottom, stroke: 'currentColor', opacity: .12 }), svg('text', { x: X(10 ** k), y: h - bottom + 15, 'text-anchor': 'middle', opacity: .7 }, k < 0 ? String(10 ** k) : String(10 ** k)));
  for (let k = Math.ceil(y0); k <= top; k++) s.append(svg('line', { x1: left, x2: w - right, y1: Y(10 ** k), y2: Y(10 ** k), stroke: 'currentColor', opacity: .12 }), svg('text', { x: left - 6, y: Y(10 ** k) + 4, 'text-anchor': 'end', opacity: .7 }, String(+(10 ** k).toPrecision(1))));
  const knee = t.peak_tflops * 1e3 / t.peak_gbs, from = Math.max(10 ** x0, 10 ** y0 * 1e3 / t.peak_gbs);
  s.append(svg('path', { d: `M${X(from)},${Y(from * t.peak_gbs / 1e3)} L${X(knee)},${Y(t.peak_tflops)} L${w - right},${Y(t.peak_tflops)}`, fill: 'none', stroke: colour('accent'), 'stroke-width': 2 }));
  const px = X(Math.min(10 ** x1, Math.max(10 ** x0, intensity))), py = Y(Math.max(10 ** y0, t.tflops));
  s.append(svg('circle', { cx: px, cy: py, r: 6, fill: colour('bad') }), svg('text', { x: px + 10, y: py + 4 }, t.tflops < 1 ? t.tflops.toFixed(2) + ' TFLOP/s' : t.tflops.toFixed(0) + ' TFLOP/s'),
    svg('text', { x: (left + w) / 2, y: h - 4, 'text-anchor': 'middle', opacity: .7 }, 'FLOP per byte of DRAM'), svg('text', { x: w - right, y: Y(t.peak_tflops) - 6, 'text-anchor': 'end', opacity: .8 }, t.peak_tflops.toFixed(0) + ' TFLOP/s'), svg('text', { x: X(knee) - 8, y: Y(t.peak_tflops) + 4, 'text-anchor': 'end', opacity: .8 }, group(t.peak_gbs) + ' GB/s'), svg('text', { x: 4, y: 8, opacity: .7 }, 'TFLOP/s'));
  return s;
}

// --- Timeline ---------------------------------------------------------------------------------------------------------------------
function timelineView(view) {
  const names = {}, tracks = [], key = e => e.pid + '/' + e.tid, events = [];
  for (const e of trace.traceEvents || []) {
    if (e.ph === 'M' && e.name === 'thread_name') names[key(e)] = e.args.name;
    if (e.ph === 'X') events.push(e);
  }
  const rows = [...new Set(events.map(key))].sort((a, b) => { const [p, q] = a.split('/').map(Number), [r, s] = b.split('/').map(Number); return p - r || q - s; });
  rows.forEach((k, y) => tracks.push({ key: k, name: (rows.some(r => r.split('/')[0] !== rows[0].split('/')[0]) ? 'block ' + k.split('/')[0] + ' ' : '') + (names[k] || 'track ' + k.split('/')[1]), y }));
  const rowOf = Object.fromEntries(rows.map((k, y) => [k, y]));
  const kinds = [...new Set(events.map(e => e.name))], end = events.reduce((m, e) => Math.max(m, e.ts + e.dur), 1);
  const height = 20, left = 170, axis = 24; let from = 0, to = end;
  const canvas = el('canvas', { id: 'timeline', tabindex: 0, role: 'img', 'aria-label': 'Timeline of warps and asynchronous units' });
  const fill = e => e.name === 'run' ? (dark() ? '#7d8796' : '#b9c0cb') : hue(kinds.filter(k => k !== 'run').indexOf(e.name));
  const draw = () => {
    const width = canvas.clientWidth || 900, tall = axis + tracks.length * height + 6, scale = devicePixelRatio || 1;
    canvas.width = width * scale; canvas.height = tall * scale; canvas.style.height = tall + 'px';
    const c = canvas.getContext('2d'); c.scale(scale, scale); c.font = '11.5px system-ui, sans-serif'; c.textBaseline = 'middle';
    const X = v => left + (v - from) / (to - from) * (width - left - 8);
    c.fillStyle = colour('soft');
    const step = 10 ** Math.floor(Math.log10((to - from) / 4)), nice = [1, 2, 5, 10].map(k => k * step).find(k => (to - from) / k <= 10);
    for (let v = Math.ceil(from / nice) * nice; v <= to; v += nice) { c.fillRect(X(v), axis - 5, 1, tall); c.globalAlpha = 1; c.fillText(group(v), X(v) + 3, 10); c.globalAlpha = .18; }
    c.globalAlpha = 1;
    tracks.forEach(t => c.fillText(t.name, 8, axis + t.y * height + height / 2));
    c.save(); c.beginPath(); c.rect(left, axis, width - left, tall); c.clip();
    for (const e of events) { if (e.ts + e.dur < from || e.ts > to) continue; c.fillStyle = fill(e); c.fillRect(X(e.ts), axis + rowOf[key(e)] * height + 3, Math.max(1, X(e.ts + e.dur) - X(e.ts) - .5), height - 6); }
    c.restore();
  };
  const zoom = (factor, at) => { const span = Math.min(end, Math.max(10, (to - from) * factor)), mid = at ?? (from + to) / 2; from = Math.max(0, mid - (mid - from) / (to - from) * span); to = Math.min(end, from + span); from = Math.max(0, to - span); draw(); };
  const move = d => { const span = to - from; from = Math.max(0, Math.min(end - span, from + d * span)); to = from + span; draw(); };
  const value = e => { const r = canvas.getBoundingClientRect(); return from + (e.clientX - r.left - left) / (r.width - left - 8) * (to - from); };
  canvas.addEventListener('wheel', e => { if (!e.ctrlKey && !e.shiftKey && Math.abs(e.deltaY) >= Math.abs(e.deltaX)) { e.preventDefault(); zoom(e.deltaY > 0 ? 1.25 : .8, value(e)); } }, { passive: false });
  let drag = null;
  canvas.addEventListener('pointerdown', e => { drag = e.clientX; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener('pointerup', () => drag = null);
  const under = e => { const r = canvas.getBoundingClientRect(), row = Math.floor((e.clientY - r.top - axis) / height), v = value(e); return events.find(x => rowOf[key(x)] === row && x.ts <= v && v <= x.ts + x.dur); };
  canvas.addEventListener('pointermove', e => {
    if (drag !== null) { move((drag - e.clientX) / (canvas.clientWidth - left)); drag = e.clientX; return; }
    const x = under(e), line = x && x.args && x.args['PTX line'];
    tip(x ? `${x.name}\n${group(x.ts)} to ${group(x.ts + x.dur)}: ${group(x.dur)} cycles${line ? '\nPTX line ' + line + ' (double click)' : ''}` : '', e);
  });
  canvas.addEventListener('pointerleave', () => tip());
  canvas.addEventListener('dblclick', e => { const x = under(e), line = x && x.args && x.args['PTX line']; if (line) goToLine('ptx', line); });
  canvas.addEventListener('keydown', e => { const f = { ArrowLeft: () => move(-.2), ArrowRight: () => move(.2), '+': () => zoom(.7), '-': () => zoom(1.4), 0: () => { from = 0; to = end; draw(); } }[e.key]; if (f) { e.preventDefault(); f(); } });
  view.append(el('h2', {}, 'The fullest multiprocessor, in cycles'), el('p', { class: 'note' }, 'Wheel or + and − to zoom, drag or arrows to move, 0 for all; a double click goes to the line.'),
    el('div', { class: 'legend' }, ...kinds.map(k => { const i = el('i'); i.style.background = fill({ name: k }); return el('span', {}, i, k); })), canvas);
  view.refresh = draw; addEventListener('resize', () => view.classList.contains('on') && draw());
}

// --- The page ---------------------------------------------------------------------------------------------------------------------
const views = [['code', 'Code', codeView, texts.length > 0], ['layouts', 'Layouts', layoutsView, layouts.length > 0], ['remarks', 'Remarks', remarksView, remarks.length > 0],
  ['time', 'Time', timeView, !!timing], ['timeline', 'Timeline', timelineView, !!trace], ['summary', 'Resources', summaryView, true]].filter(v => v[3]);
const built = {};
let current = '';
function showView(name) {
  if (!views.some(v => v[0] === name)) name = views[0][0];
  current = name;
  for (const [id, , build] of views) {
    const on = id === name, node = $('view-' + id);
    if (on && !built[id]) { built[id] = true; build(node); }
    node.classList.toggle('on', on);
    $('tab-' + id).setAttribute('aria-selected', String(on)); $('tab-' + id).tabIndex = on ? 0 : -1;
    if (on) node.refresh?.();
  }
  tip(); remember();
}
let loading = true;
function remember() {
  if (loading) return;
  const p = [...selected][0];
  history.replaceState(null, '', '#' + current + (current === 'code' && p ? '=' + p : ''));
}
function fromHash() {
  const [view, at] = decodeURIComponent(location.hash.slice(1)).split('=');
  if (view === 'code' && at && /^\d+:\d+$/.test(at)) goTo(at); else showView(view || views[0][0]);
}
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  document.querySelectorAll('.line.linked').forEach(n => { const p = panes[+n.closest('.pane').id.slice(4)].places(+n.dataset.n)[0]; n.style.borderLeftColor = hue(placeHue[p]); });
  if (built.time) { $('view-time').replaceChildren(); timeView($('view-time')); }
  if (built.summary) { $('view-summary').replaceChildren(); summaryView($('view-summary')); }
  $('view-' + current)?.refresh?.();
}
function find(text, back) {
  document.querySelectorAll('.found').forEach(n => n.classList.remove('found'));
  if (!text) return;
  showView('code');
  const pane = panes.find(p => p.root.contains(document.activeElement)) || find.pane || panes[0], rows = pane.text.text.toLowerCase().split('\n');
  find.pane = pane;
  for (let k = 1; k <= rows.length; k++) {
    const n = (pane.cursor - 1 + (back ? -k : k) + 2 * rows.length) % rows.length;
    if (rows[n].includes(text.toLowerCase())) { pane.moveTo(n + 1); pane.nodes[n + 1].classList.add('found'); choose(pane.places(n + 1), pane); pane.nodes[n + 1].scrollIntoView({ block: 'center', inline: 'start' }); return; }
  }
  const next = panes[(panes.indexOf(pane) + 1) % panes.length];
  if (next !== find.first) { find.first ||= pane; find.pane = next; next.cursor = 0; find(text, back); }
}
const KEYS = [['1 – ' + views.length, 'views'], ['↑ ↓  j k', 'line of the pane: its source, stages and PTX follow'], ['← →  h l', 'other pane'], ['/', 'find; Enter for the next'], ['r', 'remarks in place, or not'], ['t', 'light or dark'], ['Esc', 'nothing chosen'], ['?', 'these keys']];
const kernels = stages.length ? [...stages[0].text.matchAll(/\bentry @("[^"]*"|[\w$.-]+)|\.entry ([\w$]+)/g)].map(m => m[1] || m[2]) : [];
const title = kernels.join(', ') || (files[0] ? base(files[0].name) : 'kernel');
document.title = title + ' · open-tileiras';
const shown = mainFile() ? mainFile().name : files[0] ? base(files[0].name) : '';
$('title').append(title, el('small', {}, shown));
$('title').title = title;
const badge = (name, value, bad) => $('badges').append(el('span', { class: 'badge' + (bad ? ' bad' : '') }, name + ' ', el('b', {}, value)));
if (facts.target) badge('for', facts.target.compiled_as);
for (const r of (facts.resources || []).slice(0, 1)) { badge('registers', String(r.registers)); badge('shared', bytes(r.shared)); if (r.spill_stores) badge('spills', bytes(r.spill_stores), true); }
const missed = remarks.filter(r => r.kind === 'missed').length;
if (remarks.length) badge('remarks', remarks.length + (missed ? ', ' + missed + ' missed' : ''));
if (timing) badge(timing.machine, timing.microseconds.toFixed(1) + ' µs');
if (facts.status) {
  $('failure').hidden = false;
  $('failure').textContent = 'Not compiled (status ' + facts.status + ').\n' + (facts.diagnostics || []).map(d => (d.file ? d.file + ':' + d.line + ':' + d.column + ': ' : '') + d.severity + ': ' + d.message).join('\n');
}
views.forEach(([id, name], k) => {
  $('tabs').append(el('button', { id: 'tab-' + id, role: 'tab', 'aria-controls': 'view-' + id, onclick: () => showView(id) }, name, el('kbd', {}, String(k + 1))));
  $('views').append(el('div', { class: 'view', id: 'view-' + id, role: 'tabpanel', 'aria-labelledby': 'tab-' + id }));
});
$('keys').append(el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, ...KEYS.map(([k, t]) => el('tr', {}, el('td', {}, el('kbd', {}, k)), el('td', {}, t))))), el('p', {}, el('button', { onclick: () => $('keys').close() }, 'Close')));
$('help').onclick = () => $('keys').showModal();
$('theme').onclick = () => setTheme(dark() ? 'light' : 'dark');
$('search').onkeydown = e => { if (e.key === 'Enter') { find.first = null; find($('search').value, e.shiftKey); } if (e.key === 'Escape') { $('search').value = ''; panes[0]?.lines.focus(); } e.stopPropagation(); };
document.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT)$/.test(e.target.tagName) || $('keys').open) return;
  if (e.key >= '1' && e.key <= String(views.length)) showView(views[+e.key - 1][0]);
  else if (e.key === '/') { e.preventDefault(); find.pane = panes.find(p => p.root.contains(document.activeElement)); $('search').focus(); $('search').select(); }
  else if (e.key === 't') setTheme(dark() ? 'light' : 'dark');
  else if (e.key === 'r') toggleRemarks();
  else if (e.key === '?') $('keys').showModal();
  else if (e.key === 'Escape') choose([], null);
  else if (e.target.getAttribute('role') === 'tab' && (e.key === 'ArrowRight' || e.key === 'ArrowLeft')) { const k = views.findIndex(v => v[0] === current), n = views[(k + (e.key === 'ArrowRight' ? 1 : views.length - 1)) % views.length][0]; showView(n); $('tab-' + n).focus(); }
});
addEventListener('hashchange', fromHash);
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
fromHash();
loading = false;
document.body.dataset.ready = 'true';
})();
