// Blocks in which an assistant asks by a form: "params", what is known of
// something and what is still wanted, and "clarification", a question with a
// choice. docs/streams.md says what they hold. The server lets only whole and
// well made ones through; anything else is shown as the text that it is.

const most = 30;

// readAsk returns {kind: 'params', title, applied, pending} with [name, text]
// pairs, {kind: 'clarification', question, type, options}, or null.
export function readAsk(language, text) {
  if (language !== 'params' && language !== 'clarification') return null;
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (found === null || typeof found !== 'object' || Array.isArray(found)) return null;
  return language === 'params' ? params(found) : clarification(found);
}

const words = (v) => typeof v === 'string' && v.trim() !== '' && v.length <= 500;
const only = (found, names) => Object.keys(found).every((k) => names.includes(k));

function params(found) {
  const pairs = (v) => (v && typeof v === 'object' && !Array.isArray(v) ? Object.entries(v) : null);
  const applied = pairs(found.applied ?? {});
  const pending = pairs(found.pending ?? {});
  if (!applied || !pending || !only(found, ['title', 'applied', 'pending'])) return null;
  const all = [...applied, ...pending];
  if (
    all.length === 0 ||
    all.length > most ||
    !all.every(([k, v]) => words(k) && typeof v === 'string' && v.length <= 500)
  )
    return null;
  if (found.title !== undefined && !words(found.title)) return null;
  return { kind: 'params', title: found.title ?? '', applied, pending };
}

function clarification(found) {
  const { question, type, options } = found;
  const good =
    only(found, ['question', 'type', 'options']) &&
    words(question) &&
    ['radio', 'dropdown', 'checkbox'].includes(type) &&
    Array.isArray(options) &&
    options.length >= 2 &&
    options.length <= most &&
    options.every(words) &&
    new Set(options).size === options.length;
  return good ? { kind: 'clarification', question, type, options } : null;
}

// answerTo puts an answer into the words of a message: the question stays with
// it, so that it is never taken for a bare "yes". values are the chosen
// options, or [name, text] pairs. It returns '' when nothing was answered.
export function answerTo(ask, values) {
  if (ask.kind === 'clarification') return values.length === 0 ? '' : `${ask.question}\n${values.join(', ')}`;
  return values
    .filter(([, v]) => v.trim() !== '')
    .map(([k, v]) => `${k}: ${v.trim()}`)
    .join('\n');
}
