import { h, button, iconButton } from '../dom.js';
import { readable } from '../answer.js';

let count = 0; // ids of fields, so that labels find them

// form builds the fields of an object's JSON schema, filled with values. It
// returns {element, read}; read gives the object without what was left empty.
// Browsers check what the schema says; the server decides.
export function form(schema, values = {}) {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) => [name, field(name, part, values?.[name], required.includes(name))]);
  return {
    element: h('div', { class: 'form-fields' }, fields.map(([, f]) => f.element)),
    read: () => Object.fromEntries(fields.map(([name, f]) => [name, f.read()]).filter(([, v]) => v !== undefined)),
  };
}

// kind is the one type that is not null; a schema may name several.
export function kind(schema) {
  const types = [schema.type ?? 'string'].flat().filter((t) => t !== 'null');
  return types.includes('number') ? 'number' : types[0] ?? 'string';
}

function field(name, schema, value, required) {
  switch (kind(schema)) {
    case 'object': return object(name, schema, value);
    case 'array': return kind(schema.items ?? {}) === 'object' ? list(name, schema, value) : lines(name, schema, value, required);
    case 'boolean': return choice(name, schema, value, required, [['true', 'yes'], ['false', 'no']], (v) => v === 'true');
  }
  if (schema.enum) return choice(name, schema, value, required, schema.enum.map((v) => [String(v), String(v)]), (v) => schema.enum.find((e) => String(e) === v));
  return line(name, schema, value, required);
}

function labelled(name, schema, required, input) {
  const id = `field-${++count}`;
  input.id = id;
  if (schema.description) input.setAttribute('aria-describedby', `${id}-help`);
  return h('div', { class: 'form-field' },
    h('label', { for: id }, readable(name), required ? null : h('span', { class: 'optional' }, ' optional')),
    input,
    schema.description ? h('p', { class: 'form-help', id: `${id}-help` }, schema.description) : null);
}

function line(name, schema, value, required) {
  const type = kind(schema);
  const number = type === 'number' || type === 'integer';
  const day = schema.format === 'date';
  const input = h('input', {
    class: 'field', type: number ? 'number' : day ? 'date' : 'text', required, autocomplete: 'off',
    step: type === 'integer' ? '1' : type === 'number' ? 'any' : null,
    min: schema.minimum ?? null, max: schema.maximum ?? null, maxlength: schema.maxLength ?? null,
    pattern: number || day ? null : schema.pattern ?? null,
    value: value ?? null,
  });
  return { element: labelled(name, schema, required, input), read: () => (input.value.trim() === '' ? undefined : number ? Number(input.value) : input.value.trim()) };
}

function choice(name, schema, value, required, options, back) {
  const select = h('select', { class: 'field', required }, h('option', { value: '' }, required ? 'Choose…' : '—'),
    options.map(([v, label]) => h('option', { value: v, selected: value !== undefined && String(value) === v }, label)));
  return { element: labelled(name, schema, required, select), read: () => (select.value === '' ? undefined : back(select.value)) };
}

// lines is a list of simple values, one on each line.
function lines(name, schema, value, required) {
  const item = kind(schema.items ?? {});
  const input = h('textarea', { class: 'field', rows: '2', required, placeholder: schema.items?.enum?.join(', ') ?? 'one on each line' }, (Array.isArray(value) ? value : []).join('\n'));
  const read = () => {
    const all = input.value.split('\n').map((s) => s.trim()).filter(Boolean);
    return all.length === 0 ? undefined : all.map((s) => (item === 'integer' || item === 'number' ? Number(s) : s));
  };
  return { element: labelled(name, schema, required, input), read };
}

function object(name, schema, value) {
  const inner = form(schema, value ?? {});
  return {
    element: h('fieldset', { class: 'form-group' }, h('legend', {}, readable(name)), schema.description ? h('p', { class: 'form-help' }, schema.description) : null, inner.element),
    read: () => {
      const found = inner.read();
      return Object.keys(found).length === 0 ? undefined : found;
    },
  };
}

// list is a list of objects, each with fields of its own.
function list(name, schema, value) {
  const entries = [];
  const rows = h('div', { class: 'form-rows' });
  const add = (given) => {
    const inner = form(schema.items, given);
    const row = h('div', { class: 'form-group' }, inner.element, iconButton('Remove this entry', 'cross', { onclick: () => {
      entries.splice(entries.indexOf(inner), 1);
      row.remove();
    } }));
    entries.push(inner);
    rows.append(row);
  };
  for (const given of Array.isArray(value) ? value : []) add(given);
  return {
    element: h('fieldset', { class: 'form-group' }, h('legend', {}, readable(name)), schema.description ? h('p', { class: 'form-help' }, schema.description) : null,
      rows, button('Add', { icon: 'plus', class: 'small', onclick: () => add({}) })),
    read: () => (entries.length === 0 ? undefined : entries.map((e) => e.read())),
  };
}
