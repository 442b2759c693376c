// The kinds of parts that the page can show. Each is a module of its own in
// views/parts, whose function show(part, context) returns an element; the
// server lists which there are. A part of any other kind is shown by its words.

import { lastPage } from './page.js';

const renderers = new Map();

// loadParts loads the renderers of the kinds.
export async function loadParts(kinds, load = (kind) => import(`./views/parts/${kind}.js`)) {
  await Promise.all(
    (kinds ?? [])
      .filter((kind) => /^[a-z_]+$/.test(kind))
      .map(async (kind) => renderers.set(kind, (await load(kind)).show)),
  );
}

// renderer returns the function that shows a part, or null.
export function renderer(kind) {
  return renderers.get(kind) ?? null;
}

// toExport returns the parts of answers as the export door takes them: without
// drawings, which it makes by itself, and without what is only there to press.
export function toExport(items) {
  return items
    .filter((item) => item.kind === 'answer' && item.state === 'done')
    .flatMap((answer) => {
      const parts = (answer.parts ?? []).filter((p) => !['choices', 'photos', 'travellers'].includes(p.kind));
      if (parts.length === 0) return [];
      return [
        ...answer.tables.map((data) => ({ kind: 'table', id: data.id, data })),
        ...parts.map((p) => ({ ...p, data: { ...p.data, svg: undefined, narrow: undefined } })),
      ];
    });
}

// arrange tells which parts stand beside which table of a text, and which stand
// at its end. tables are those that the text shows, in order. Of several lists of
// choices only the last one, which stands at the very end, is still of use, unless each
// answers a question of its own: those are put as one.
export function arrange(parts, tables) {
  const shown = new Set(tables.filter(Boolean).map((t) => t.id));
  const beside = new Map();
  let rest = [];
  for (const part of parts) {
    if (part.kind === 'table') {
      // A table stands in the text, or its place could not be told.
      continue;
    }
    if (part.beside && shown.has(part.beside)) beside.set(part.beside, [...(beside.get(part.beside) ?? []), part]);
    else rest.push(part);
  }
  rest = lastPage(rest);
  const choices = rest.filter((part) => part.kind === 'choices');
  if (choices.length > 0) rest = [...rest.filter((part) => part.kind !== 'choices'), asked(choices) ?? choices.at(-1)];
  return { beside, rest };
}

// asked is one part for lists of choices that each answer another question, or null.
function asked(choices) {
  if (choices.length < 2) return null;
  const questions = choices.map(({ data }) => data);
  const titles = new Set(questions.map((q) => q.title));
  const each =
    titles.size === questions.length &&
    questions.every(({ title, choices: list = [] }) => title?.endsWith('?') && list.every((c) => c.words));
  return each ? { ...choices.at(-1), data: { questions } } : null;
}
