// What hinders people on a view, and what does not fit on it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// hindrances lists what axe-core finds in an element or, with '', on the whole page,
// by the named rules or by all.
export async function hindrances(page, within, ...rules) {
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate((axe) => new Function(axe)(), axe)
  const { violations } = await page.evaluate(
    ([within, rules]) =>
      window.axe.run(within === '' ? document : { include: [[within]] }, {
        resultTypes: ['violations'],
        preload: false,
        ...(rules.length > 0 ? { runOnly: rules } : {}),
      }),
    [within, rules],
  )
  return violations.map((v) => `${v.id}: ${v.nodes[0].html}`)
}

// overflows lists what reaches over the side of the window. Tables and code may,
// in boxes that scroll by themselves.
export const overflows = (page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const boxed = (e) =>
      e &&
      ((['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX) && e !== document.body) ||
        boxed(e.parentElement))
    const out = [...document.querySelectorAll('#app *')].filter(
      (e) => e.getClientRects().length > 0 && e.getBoundingClientRect().right > width + 1 && !boxed(e.parentElement),
    )
    return [
      ...(document.scrollingElement.scrollWidth > width
        ? [`the page is ${document.scrollingElement.scrollWidth} wide`]
        : []),
      ...out.map((e) => e.outerHTML.slice(0, 120)),
    ]
  })
