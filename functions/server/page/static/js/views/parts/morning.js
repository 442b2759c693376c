import { h, icon } from '../../dom.js';

// show shows the figures of a day and what is to be done, with the buttons that
// do it: each opens its tool filled in, and a small change is made at once.
export function show(part, { run = null, act = run } = {}) {
  const { title = '', figures = [], sections = [] } = part.data;
  const press = (call) => (call.now ? act : run)(call.tool, call.arguments ?? {});
  const doing = (call, of) =>
    h(
      'button',
      {
        type: 'button',
        class: 'button small',
        'aria-label': `${call.label}: ${of}`,
        onclick: (e) => {
          e.currentTarget.disabled = Boolean(call.now); // until the day is shown anew
          press(call);
        },
      },
      h('span', {}, call.label),
    );
  const item = (i) =>
    h(
      'li',
      { class: 'morning-item' },
      h(
        'div',
        { class: 'morning-words' },
        i.open && run
          ? h(
              'button',
              {
                type: 'button',
                class: 'link',
                'aria-label': `${i.title}, ${i.open.label}`,
                onclick: () => press(i.open),
              },
              i.title,
            )
          : h('b', {}, i.title),
        i.value || i.detail
          ? h(
              'span',
              { class: 'morning-detail' },
              i.value ? h('b', {}, i.value) : null,
              (i.detail ?? '').split(' · ').map((words) => h('span', {}, words)),
            )
          : null,
        i.note ? h('span', { class: 'morning-note' }, icon('info'), i.note) : null,
      ),
      run ? (i.do ?? []).map((call) => doing(call, i.title)) : null,
    );
  const section = (s, n) => {
    const id = `${part.id ?? 'morning'}-${n}`;
    return h(
      'section',
      { class: ['morning-section', s.items.length === 0 && 'bare'], 'aria-labelledby': id },
      h('h3', { id }, s.title, h('span', { class: 'morning-count' }, String(s.count))),
      s.items.length > 0 ? h('ul', {}, s.items.map(item)) : h('p', { class: 'morning-empty' }, s.empty),
      run && s.do
        ? h(
            'div',
            { class: 'morning-all' },
            s.do.map((call) => doing(call, s.title)),
          )
        : null,
      s.more && run
        ? h('button', { type: 'button', class: 'link morning-more', onclick: () => press(s.more) }, s.more.label)
        : null,
    );
  };
  return h(
    'section',
    { class: 'morning', 'aria-label': title },
    h('h2', { class: 'morning-title' }, title),
    figures.length > 0
      ? h(
          'dl',
          { class: 'morning-figures' },
          figures.map((f) => h('div', {}, h('dt', {}, f.label), h('dd', {}, f.value))),
        )
      : null,
    h('div', { class: 'morning-sections' }, sections.map(section)),
  );
}
