import { plainText } from './markdown.js';

// withoutPreview leaves out the written form of a proposal at the end of an
// answer, since the card shows the same. Clients without cards read it there.
// It begins with the title as a paragraph of its own and ends with the code in
// brackets; anything else is kept. While the answer is growing the end is
// still to come.
export function withoutPreview(blocks, proposal, growing) {
  if (!proposal?.code) return blocks;
  const last = blocks.at(-1);
  const ended = last?.type === 'para' && plainText(last.inline).trimEnd().endsWith(`(${proposal.code})`);
  if (!ended && !growing) return blocks;
  const clean = (s) => s.replace(/\s+/g, ' ').trim();
  const title = clean(proposal.preview?.title ?? '');
  const at = blocks.findLastIndex((b) => b.type === 'para' && clean(plainText(b.inline)) === title);
  return at < 0 ? blocks : blocks.slice(0, at);
}

// withoutQuestions leaves out the items of lists that are asked again by the choices below
// the text.
export function withoutQuestions(blocks, questions) {
  if (questions.length === 0) return blocks;
  const asked = (item) =>
    item.length === 1 && item[0].type === 'para' && questions.includes(plainText(item[0].inline).trim());
  return blocks
    .map((b) => (b.type === 'list' ? { ...b, items: b.items.filter((item) => !asked(item)) } : b))
    .filter((b) => b.type !== 'list' || b.items.length > 0);
}
