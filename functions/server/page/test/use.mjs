// What both visits of a browser need: finding, waiting, and saying what was seen.

export const find = (selector) => document.querySelector(selector);

export async function until(what, test) {
  for (let i = 0; i < 400; i++) {
    const found = test();
    if (found) return found;
    await new Promise((r) => setTimeout(r, 25));
  }
  throw new Error(`never came: ${what}`);
}

export const finished = (n) => () => document.querySelectorAll('.answer[data-state="done"]').length === n && find('.composer-send.stop')?.hidden;

export const report = (seen) => fetch('/test/result', { method: 'POST', body: JSON.stringify(seen) });
