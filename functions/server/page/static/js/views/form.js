import { h, button, iconButton } from '../dom.js';
import { readable } from '../answer.js';

const many = 6; // fields above which those that are empty are folded away
let count = 0; // ids of fields, so that labels find them

// form builds the fields of an object's JSON schema, filled with values. It
// returns {element, read}; read gives the object without what was left empty.
// Browsers check what the schema says; the server decides. offers are the options
// of arguments that take a code, by name.
export function form(schema, values = {}, offers = {}) {
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) => [
    name,
    field(name, part, values?.[name], required.includes(name), offers),
  ]);
  // What was filled in, and must be, comes first; of many others the rest is folded.
  const given = ([name]) => values?.[name] !== undefined || required.includes(name);
  const first =
    fields.some(([name]) => values?.[name] !== undefined) && fields.length > many ? fields.filter(given) : fields;
  const rest = fields.filter((f) => !first.includes(f));
  return {
    element: h(
      'div',
      { class: 'form-fields' },
      first.map(([, f]) => f.element),
      rest.length > 0
        ? h(
            'details',
            { class: 'form-more' },
            h('summary', {}, 'More fields'),
            h(
              'div',
              { class: 'form-fields' },
              rest.map(([, f]) => f.element),
            ),
          )
        : null,
    ),
    read: () => Object.fromEntries(fields.map(([name, f]) => [name, f.read()]).filter(([, v]) => v !== undefined)),
  };
}

// kind is the one type that is not null; a schema may name several.
export function kind(schema) {
  const types = [schema.type ?? 'string'].flat().filter((t) => t !== 'null');
  return types.includes('number') ? 'number' : (types[0] ?? 'string');
}

function field(name, schema, value, required, offers) {
  const offered = Object.hasOwn(offers, name) ? offers[name] : null;
  switch (kind(schema)) {
    case 'object':
      return object(name, schema, value, offers);
    case 'array':
      if (kind(schema.items ?? {}) === 'object') return list(name, schema, value, offers);
      return offered ? several(name, schema, value, offered) : lines(name, schema, value, required);
    case 'boolean':
      return choice(
        name,
        schema,
        value,
        required,
        [
          ['true', 'yes'],
          ['false', 'no'],
        ],
        (v) => v === 'true',
      );
  }
  if (schema.enum)
    return choice(
      name,
      schema,
      value,
      required,
      schema.enum.map((v) => [String(v), String(v)]),
      (v) => schema.enum.find((e) => String(e) === v),
    );
  if (offered && kind(schema) === 'string') return offer(name, schema, value, required, offered);
  return line(name, schema, value, required);
}

// offer is a choice of what there is. What was filled in stays, even if it is not
// listed.
function offer(name, schema, value, required, offered) {
  const { options, chosen } = fitted(offered, value ? [value] : []);
  return choice(
    name,
    schema,
    chosen[0],
    required,
    options.map((o) => [o.value, o.label]),
    (v) => v,
  );
}

// several is a choice of any number of what there is.
function several(name, schema, value, offered) {
  const { options, chosen } = fitted(offered, Array.isArray(value) ? value : []);
  const boxes = options.map((o) =>
    h('input', { type: 'checkbox', value: o.value, checked: chosen.includes(o.value) }),
  );
  return {
    element: h(
      'fieldset',
      { class: 'form-field form-several' },
      h('legend', {}, readable(name), h('span', { class: 'optional' }, ' any number')),
      h(
        'div',
        { class: 'ask-options' },
        boxes.map((box, i) => h('label', { class: 'ask-option' }, box, h('span', {}, options[i].label))),
      ),
      schema.description ? h('p', { class: 'form-help' }, schema.description) : null,
    ),
    read: () => {
      const all = boxes.filter((b) => b.checked).map((b) => b.value);
      return all.length === 0 ? undefined : all;
    },
  };
}

// fitted finds values among the options by code or by name, and adds the others.
function fitted(offered, values) {
  const options = [...offered];
  const same = (a, b) => a.toLowerCase() === b.toLowerCase();
  const chosen = values.map(String).map((v) => {
    const found = options.find((o) => same(o.value, v) || same(o.label, `${v} (${o.value})`));
    if (!found) options.push({ value: v, label: v });
    return found?.value ?? v;
  });
  return { options, chosen };
}

function labelled(name, schema, required, input) {
  const id = `field-${++count}`;
  input.id = id;
  if (schema.description) input.setAttribute('aria-describedby', `${id}-help`);
  return h(
    'div',
    { class: 'form-field' },
    h('label', { for: id }, readable(name), required ? null : h('span', { class: 'optional' }, ' optional')),
    input,
    schema.description ? h('p', { class: 'form-help', id: `${id}-help` }, schema.description) : null,
  );
}

function line(name, schema, value, required) {
  const type = kind(schema);
  const number = type === 'number' || type === 'integer';
  const day = schema.format === 'date';
  const input = h('input', {
    class: 'field',
    type: number ? 'number' : day ? 'date' : 'text',
    required,
    autocomplete: 'off',
    step: type === 'integer' ? '1' : type === 'number' ? 'any' : null,
    min: schema.minimum ?? null,
    max: schema.maximum ?? null,
    maxlength: schema.maxLength ?? null,
    pattern: number || day ? null : (schema.pattern ?? null),
    value: value ?? null,
  });
  return {
    element: labelled(name, schema, required, input),
    read: () => (input.value.trim() === '' ? undefined : number ? Number(input.value) : input.value.trim()),
  };
}

function choice(name, schema, value, required, options, back) {
  const select = h(
    'select',
    { class: 'field', required },
    h('option', { value: '' }, required ? 'Choose…' : '—'),
    options.map(([v, label]) =>
      h('option', { value: v, selected: value !== undefined && String(value) === v }, label),
    ),
  );
  return {
    element: labelled(name, schema, required, select),
    read: () => (select.value === '' ? undefined : back(select.value)),
  };
}

// lines is a list of simple values, one on each line.
function lines(name, schema, value, required) {
  const item = kind(schema.items ?? {});
  const input = h(
    'textarea',
    { class: 'field', rows: '2', required, placeholder: schema.items?.enum?.join(', ') ?? 'one on each line' },
    (Array.isArray(value) ? value : []).join('\n'),
  );
  const read = () => {
    const all = input.value
      .split('\n')
      .map((s) => s.trim())
      .filter(Boolean);
    return all.length === 0 ? undefined : all.map((s) => (item === 'integer' || item === 'number' ? Number(s) : s));
  };
  return { element: labelled(name, schema, required, input), read };
}

function object(name, schema, value, offers) {
  const inner = form(schema, value ?? {}, offers);
  return {
    element: h(
      'fieldset',
      { class: 'form-group' },
      h('legend', {}, readable(name)),
      schema.description ? h('p', { class: 'form-help' }, schema.description) : null,
      inner.element,
    ),
    read: () => {
      const found = inner.read();
      return Object.keys(found).length === 0 ? undefined : found;
    },
  };
}

// list is a list of objects, each with fields of its own.
function list(name, schema, value, offers) {
  const entries = [];
  const rows = h('div', { class: 'form-rows' });
  const add = (given) => {
    const inner = form(schema.items, given, offers);
    const row = h(
      'div',
      { class: 'form-group' },
      inner.element,
      iconButton('Remove this entry', 'cross', {
        onclick: () => {
          entries.splice(entries.indexOf(inner), 1);
          row.remove();
        },
      }),
    );
    entries.push(inner);
    rows.append(row);
  };
  for (const given of Array.isArray(value) ? value : []) add(given);
  return {
    element: h(
      'fieldset',
      { class: 'form-group' },
      h('legend', {}, readable(name)),
      schema.description ? h('p', { class: 'form-help' }, schema.description) : null,
      rows,
      button('Add', { icon: 'plus', class: 'small', onclick: () => add({}) }),
    ),
    read: () => (entries.length === 0 ? undefined : entries.map((e) => e.read())),
  };
}
