// What the view of intents shows and sends, without a page.

export const mostPhrases = 100;
export const longest = 300;

// draft returns what PUT takes for an intent as it was typed. A phrase keeps its source
// as long as its words stay; an empty one is left out.
export function draft(intent, { agent, description, texts }) {
  const sources = new Map(intent.phrases.map((p) => [p.phrase, p.source]));
  const phrases = texts.map((t) => t.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return {
    agent,
    description: description.trim(),
    version: intent.version,
    phrases: phrases.map((phrase) => ({ phrase, source: sources.get(phrase) ?? 'written' })),
  };
}

// nameOf makes a name of an intent from what a person calls it: "Lantern tours" is
// lantern_tours. It is "" where no letter is left.
export function nameOf(text) {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .slice(0, 64)
    .replace(/_+$/, '');
}

// suspended says which sentences are not matched for now, and why; labelOf returns an
// agent's label.
export function suspended(buckets, labelOf) {
  return buckets
    .filter((b) => b.suspended)
    .map((b) => {
      const from = Math.round(b.bucket * 100);
      return `${labelOf(b.intent)}, ${from} to ${Math.min(from + 5, 100)} % sure: ${b.checkedFailed} of ${b.checked} checked turns went elsewhere, so the router’s model is asked.`;
    });
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

// scores lists all that a sentence scored, as names and values.
export function scores(tried) {
  const rows = tried.best.map((b) => [b.label, percent(b.score)]);
  rows.push(
    ['Confidence', percent(tried.confidence)],
    ['Needed', tried.threshold >= 1 ? 'a whole phrase' : percent(tried.threshold)],
  );
  if (tried.own) rows.push(['Own intent', tried.own]);
  rows.push([
    'Text alone',
    tried.literal.intent
      ? `${tried.literal.score.toFixed(2)}, ${tried.literal.intent.label}`
      : tried.literal.score.toFixed(2),
  ]);
  if (tried.neighbour) rows.push(['Nearest phrase', `${tried.neighbour.score.toFixed(2)}, ${tried.neighbour.label}`]);
  rows.push(['Share of the nearest phrases', percent(tried.votes)], ['Compared as', tried.form || '–']);
  return [...rows, ...tried.entities.map((e) => [e.kind, e.text])];
}
