const named = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['times', '×'],
  ['middot', '·'],
  ['bull', '•'],
  ['rarr', '→'],
  ['larr', '←'],
  ['euro', '€'],
  ['pound', '£'],
  ['deg', '°'],
]);

// decodeEntities returns the text that a piece of escaped HTML stands for.
// Names that are not known stay as they are.
export function decodeEntities(text) {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g, (all, dec, hex, name) => {
    if (name !== undefined) return named.get(name) ?? all;
    const code = dec !== undefined ? parseInt(dec, 10) : parseInt(hex, 16);
    // Code points that hide text or do not exist show as the replacement mark.
    const bad =
      code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (code < 32 && code !== 9 && code !== 10);
    return bad ? '\ufffd' : String.fromCodePoint(code);
  });
}
