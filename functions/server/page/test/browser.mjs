// Uses the page as a person would and reports to the Go test what it saw.

import { find, until, finished, report } from './use.mjs';

const seen = {}; // violation and error appear in it only when there was one
document.addEventListener('securitypolicyviolation', (e) => (seen.violation = e.violatedDirective));
addEventListener('error', (e) => (seen.error = e.message));

try {
  (await until('a demo user', () => find('.person'))).click();
  (await until('a suggestion', () => find('.chip'))).click();
  await until('the answer', finished(1));
  seen.badge = find('.badge').textContent;
  seen.steps = [...document.querySelectorAll('.step-title')].map((s) => s.textContent);
  seen.cells = [...document.querySelectorAll('.prose td')].map((c) => c.textContent);
  seen.scrolls = getComputedStyle(find('.prose table').parentElement).overflowX;
  seen.aligned = getComputedStyle(find('.prose td:last-child')).textAlign;
  seen.foreign = document.querySelectorAll('.prose :is(img, script, iframe, [style], [onclick], a[href^="http"])').length;
  seen.card = find('.proposal h3').textContent;
  seen.twice = find('.prose').textContent.includes('Shall I');
  const approve = find('.proposal .primary');
  approve.click();
  approve.click();
  await until('the outcome', finished(2));
  seen.outcome = find('.proposal').dataset.state;
  seen.receipt = find('.receipts li').textContent;
  seen.said = find('[aria-live]').textContent;
  const probe = document.createElement('p');
  try {
    probe.innerHTML = '<b>x</b>';
    seen.markup = 'made';
  } catch {
    seen.markup = 'refused';
  }
} catch (error) {
  seen.error = String(error);
}
await report(seen);
