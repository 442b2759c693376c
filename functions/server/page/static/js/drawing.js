// Reads the drawings of charts: the SVG that our server writes, and nothing
// else. The result is a plain tree of known elements and attributes.

import { decodeEntities } from './entities.js';

const token = /<(\/?)([a-z]+)((?:\s+[\w:-]+='[^']*')*)\s*(\/?)>|([^<]+)|</gi;
const attribute = /([\w:-]+)='([^']*)'/g;
const elements = new Set(['svg', 'title', 'desc', 'path', 'circle', 'text']);
const attributes = new Set([
  'viewBox',
  'width',
  'height',
  'role',
  'font-family',
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'd',
  'cx',
  'cy',
  'r',
  'x',
  'y',
  'data-days',
  'font-size',
  'font-weight',
  'text-anchor',
]);

// readDrawing returns {name, attributes, children}; a child is such an object
// or a text. It returns null for anything that is not one whole drawing.
export function readDrawing(source) {
  const open = [{ children: [] }];
  for (const [, slash, name, rest, alone, words] of String(source).matchAll(token)) {
    const inner = open.at(-1);
    if (words !== undefined) {
      inner.children.push(decodeEntities(words));
      continue;
    }
    if (!elements.has(name)) return null;
    if (slash) {
      if (open.length < 2 || open.pop().name !== name) return null;
      continue;
    }
    const element = { name, attributes: {}, children: [] };
    for (const [, key, value] of rest.matchAll(attribute)) {
      if (attributes.has(key) && !/url\s*\(/i.test(value)) element.attributes[key] = decodeEntities(value);
    }
    inner.children.push(element);
    if (!alone) open.push(element);
  }
  const [{ children }] = open;
  return open.length === 1 && children.length === 1 && children[0].name === 'svg' ? children[0] : null;
}
