import { h } from '../dom.js';
import { renderer } from '../parts.js';

// partView shows a part by its kind's renderer, or by its words. context:
// open(title, element) shows something in the room beside the conversation,
// say(words) sends words, answer(text) answers a form, run(tool, arguments) runs
// a tool, act(tool, arguments) makes a small change at once, save(table, format), file(path, name) saves a file of an endpoint,
// travellers.open({code, fresh}) opens the form of travellers, shares.open({trip, title})
// the links of a trip's plans, plans.of(trip) and plans.act(trip, what, body) read and change
// them (Plans in planning.js), now(), may, which is
// false for those who may only look, and projects, with photos(code), draft(code),
// link(code, photo, width) and open(code, {edit, page}).
//
// research is false where what the specialists of a plan brought is shown above the part,
// and said is the text that it stands below.
//
// again, with schema(tool) and run(part, arguments, tool), makes a part again by a tool that
// only looks something up: run returns the part that takes its place. A renderer gets it
// bound to its part, as schema() and run(arguments, tool); null repeats the arguments that
// there were, and without a tool it is the part's own.
export function partView(part, context) {
  const show = renderer(part.kind);
  const element = h('div', { class: 'part', 'data-kind': part.kind });
  try {
    if (show) {
      element.append(show(part, { ...context, again: bound(part, context, element) }));
      return element;
    }
  } catch (error) {
    console.error(error); // the words say the same
  }
  element.replaceChildren(h('pre', { class: 'part-words', tabindex: '0' }, part.text ?? ''));
  return element;
}

function bound(part, context, element) {
  const { again } = context;
  if (!again || !part.tool) return null;
  return {
    schema: () => again.schema(part.tool),
    run: async (values, tool = part.tool) => {
      const had = element.contains(document.activeElement); // its button loses the focus while it waits
      const next = partView(await again.run(part, values ?? part.arguments ?? {}, tool), context);
      element.replaceWith(next);
      if (had && [document.body, null].includes(document.activeElement)) next.querySelector('[data-title]')?.focus();
    },
  };
}
