// Walks through the views and lets axe-core look at each.

import { find, until, finished, report } from './use.mjs';

const seen = {};

async function look(view) {
  const { violations } = await axe.run();
  seen[view] = violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => `${v.id}: ${v.nodes[0].html}`);
}

try {
  await import('./axe.js'); // sets the global axe
  const person = await until('a demo user', () => find('.person'));
  await look('sign-in');
  person.click();
  const question = await until('a suggestion', () => find('.chip'));
  await look('empty');
  question.click();
  await until('the answer', finished(1));
  find('.steps').click();
  await look('chat');
  find('[aria-label="Tools"]').click();
  const tool = await until('the tools', () => find('.tools-item'));
  await look('tools');
  tool.click();
  await look('form');
} catch (error) {
  seen.error = String(error);
}
await report(seen);
