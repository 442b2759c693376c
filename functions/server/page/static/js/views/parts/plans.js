import { h, icon, button, iconButton } from '../../dom.js';
import { researchView } from '../research.js';
import { doing, heading } from '../travel.js';
import { longDay, later, laterWords, shortDay } from '../../travel.js';
import {
  bar,
  blocks,
  categories,
  differing,
  drawingOf,
  hours,
  inClockOrder,
  scaleOf,
  sources,
  sourcesOf,
  tiers,
  totalOf,
  unsaid,
} from '../../plans.js';

const selects = (choice) => /^select_/.test(choice.tool ?? '');
let count = 0; // ids of columns, so that rows lead to them

// show shows plans of a trip: their costs on one scale, what differs, and each of them
// with its days. Where there is room they stand side by side; elsewhere one is seen at a
// time, and swiping or the rows of costs lead to the others. Where the page reaches the
// plans (context.plans) the card shows them as they are by now, and changes in its place.
export function show(part, context) {
  const place = h('div', { class: 'plans-place' });
  const told = h('p', { role: 'status', class: 'visually-hidden' });
  let data = part.data;
  let newest = null; // those that took the place of these
  let busy = false;
  const draw = (said = null) => {
    const open = [...place.querySelectorAll('details[open]')].map(keyOf);
    const left = place.querySelector('.plans-columns')?.scrollLeft ?? 0;
    const card = {
      data,
      said,
      act: newest ? null : act,
      stale:
        newest &&
        (() => {
          data = newest;
          newest = null;
          draw();
          place.querySelector('[data-title]').focus();
        }),
    };
    place.replaceChildren(view(card, context), told);
    for (const details of place.querySelectorAll('details')) details.open = open.includes(keyOf(details));
    place.querySelector('.plans-columns').scrollLeft = left;
  };
  const act = context.plans
    ? async (what, values) => {
        if (busy) return;
        busy = true;
        place.setAttribute('aria-busy', 'true');
        let said;
        try {
          const { options } = await context.plans.act(data.trip, what, { run: data.run, ...values });
          if (options) data = { ...options, research: data.research };
          said = { option: values.option, words: doneWords(what, data, values.option) };
        } catch (error) {
          said = { option: values.option, words: error.message, failed: true };
          if (['replaced', 'changed'].includes(error.code)) await look();
        }
        busy = false;
        place.removeAttribute('aria-busy');
        draw(said);
        told.textContent = said.words;
        place.querySelector(`[data-option="${CSS.escape(values.option)}"] h4`)?.focus({ preventScroll: true });
      }
    : null;
  // look reads the plans as they are by now, and says whether they are others.
  const look = async () => {
    const { plan, options } = await context.plans.of(data.trip).catch(() => ({}));
    if (!options || alike(options, newest ?? data)) return false;
    if (plan.run === data.run) data = { ...options, research: data.research };
    else newest = options;
    return true;
  };
  draw();
  const refresh = async () => {
    // A part of an answer may be cut; what was read is whole.
    const other = await look();
    place.dataset.read = '';
    if (!other || busy) return;
    const had = place.contains(document.activeElement);
    draw();
    if (had) place.querySelector('[data-title]').focus({ preventScroll: true });
  };
  if (context.plans) {
    refresh();
    context.plans.watch?.(() => place.isConnected && (refresh(), true));
  }
  return place;
}

// alike says of two parts that they show the same plans.
const alike = (a, b) => JSON.stringify({ ...a, research: null }) === JSON.stringify({ ...b, research: null });

const keyOf = (details) =>
  [details.closest('.plan')?.dataset.option, details.dataset.day ?? details.textContent.slice(0, 12)].join();

function doneWords(what, { options }, id) {
  const option = options.find((o) => o.id === id);
  return what === 'selection' ? 'It is in your trip now.' : `Changed: now ${option?.total ?? ''}`;
}

function view(card, context) {
  const { data } = card;
  const id = `plans-${++count}`;
  const columns = h(
    'div',
    { class: 'plans-columns', 'data-count': data.options.length },
    data.options.map((o, n) => column(o, `${id}-${n}`, card, context)),
  );
  const rows = comparison(data, (n) => reveal(columns, n));
  columns.style.setProperty('--days', String(Math.max(...data.options.map((o) => o.days.length))));
  follow(columns, rows);
  together(columns);
  return h(
    'section',
    { role: 'group', class: 'travel plans', 'aria-label': `Plans: ${data.title}` },
    heading('globe', data.title, [data.detail, data.trip].filter(Boolean).join(' · ')),
    card.stale
      ? h(
          'p',
          { class: 'travel-warning' },
          icon('alert'),
          h('span', {}, 'These plans were replaced by newer ones.'),
          h('button', { type: 'button', class: 'link', onclick: card.stale }, 'Show the newest'),
        )
      : null,
    data.research?.length > 0 && context.research !== false ? researchView(data.research) : null,
    rows.element,
    differences(data),
    columns,
    asides(data, unsaid(data.note, context.said)),
    foot(data, context),
  );
}

// put places an element by shares of its room.
function put(element, places) {
  for (const [name, share] of Object.entries(places)) element.style[name] = `${(share * 100).toFixed(3)}%`;
  return element;
}

// comparison draws the costs of all plans on one scale; its rows lead to the plans.
function comparison({ options, selected }, go) {
  const scale = scaleOf(options);
  const buttons = options.map((o, n) => {
    const { amount, whom } = totalOf(o.total);
    const parts = bar(o.costs, scale);
    return h(
      'button',
      { type: 'button', class: 'plans-row', 'data-tier': o.tier, onclick: () => go(n) },
      h(
        'span',
        { class: 'plans-row-name' },
        level(o.tier),
        h('b', {}, o.title),
        o.id === selected
          ? h('span', { class: 'plans-chosen' }, icon('check'), h('span', { class: 'visually-hidden' }, 'selected'))
          : null,
      ),
      h(
        'span',
        { class: 'plans-bar', 'aria-hidden': 'true' },
        parts.map((s) =>
          put(
            h(
              'i',
              { 'data-category': s.category, title: `${s.label}: ${s.text}` },
              put(h('i', {}), { width: s.width > 0 ? s.sure / s.width : 0 }),
            ),
            { left: s.left, width: s.width },
          ),
        ),
      ),
      h('span', { class: 'plans-row-total' }, h('b', {}, amounts(amount)), whom ? h('span', {}, whom) : null),
    );
  });
  const used = new Set(options.flatMap((o) => (o.costs ?? []).map((c) => c.category)));
  const legend = h(
    'p',
    { class: 'plans-legend', 'aria-hidden': 'true' },
    categories
      .filter(([name]) => used.has(name))
      .map(([name, label]) => h('span', {}, h('i', { 'data-category': name }), label)),
    options.some((o) => (o.costs ?? []).some((c) => c.to > c.from))
      ? h('span', {}, h('i', { 'data-category': 'range' }), 'up to')
      : null,
  );
  return {
    buttons,
    element: h('div', { class: 'plans-rows', role: 'group', 'aria-label': 'Costs on one scale' }, buttons, legend),
  };
}

// amounts breaks a list of amounts between them only.
const amounts = (words) =>
  words.split(/ (?=\+)/).flatMap((w, n) => [n > 0 ? ' ' : null, h('span', { class: 'amount' }, w)]);

// level shows a tier as coins.
function level(tier) {
  const [words, full] = tiers[tier] ?? [tier, 0];
  return h(
    'span',
    { class: 'plans-level', title: words },
    h('span', { class: 'visually-hidden' }, `${words}: `),
    [1, 2, 3].map((n) => h('i', { class: n <= full ? 'full' : null, 'aria-hidden': 'true' })),
  );
}

// reveal shows a plan where one is seen at a time, and moves to it elsewhere.
function reveal(columns, n) {
  const column = columns.children[n];
  if (slides(columns))
    columns.scrollTo({
      left: column.offsetLeft - columns.firstElementChild.offsetLeft,
      behavior: calm() ? 'auto' : 'smooth',
    });
  const title = column.querySelector('h4');
  title.focus({ preventScroll: true });
  column.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: calm() ? 'auto' : 'smooth' });
}

// slides says that the plans lie beside each other in less room than they need.
const slides = (columns) => columns.scrollWidth > columns.clientWidth + 4;

// seen is the place of the plan that is seen; the last one is, where nothing follows.
function seen(columns) {
  if (columns.scrollLeft + columns.clientWidth >= columns.scrollWidth - 4) return columns.children.length - 1;
  const from = columns.firstElementChild.offsetLeft;
  const away = [...columns.children].map((c) => Math.abs(c.offsetLeft - from - columns.scrollLeft));
  return away.indexOf(Math.min(...away));
}

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

// follow marks the row of the plan that is seen, where one is seen at a time.
function follow(columns, { buttons }) {
  const mark = () => {
    const at = slides(columns) ? seen(columns) : -1;
    buttons.forEach((b, n) => (n === at ? b.setAttribute('aria-current', 'true') : b.removeAttribute('aria-current')));
  };
  columns.addEventListener('scroll', mark, { passive: true });
  new ResizeObserver(mark).observe(columns);
}

// together opens and shuts the same day of all plans where they stand side by side.
function together(columns) {
  columns.addEventListener(
    'toggle',
    ({ target }) => {
      if (!target.matches?.('.plan-day') || slides(columns)) return;
      for (const other of columns.querySelectorAll(`.plan-day[data-day="${target.dataset.day}"]`))
        other.open = target.open;
    },
    true,
  );
}

function differences({ differs = [], options }) {
  if (differs.length === 0 || options.length < 2) return null;
  // A narrow table is laid out as a grid, which takes the roles away.
  return h(
    'table',
    { class: 'plans-differs', role: 'table', 'data-count': options.length },
    h('caption', { class: 'visually-hidden' }, 'What differs'),
    h(
      'thead',
      { role: 'rowgroup' },
      h(
        'tr',
        { role: 'row' },
        h('td', { role: 'cell' }),
        options.map((o) => h('th', { scope: 'col', role: 'columnheader' }, level(o.tier), h('span', {}, o.title))),
      ),
    ),
    h(
      'tbody',
      { role: 'rowgroup' },
      differs.map((axis) => {
        const marks = differing(axis);
        return h(
          'tr',
          { role: 'row' },
          h('th', { scope: 'row', role: 'rowheader' }, axis.label),
          axis.values.map((v, n) =>
            h(
              'td',
              { role: 'cell', class: marks[n] ? 'differs' : null },
              h('span', {}, v),
              marks[n] ? h('span', { class: 'visually-hidden' }, ' (only here)') : null,
            ),
          ),
        );
      }),
    ),
  );
}

// swapsOf is how a plan's things are swapped: run(what, arguments), and the tables that it
// does not use. It is null for those who may only look, whose plans have no calls.
function swapsOf(o, { data, act, stale }, context) {
  const { trip, run, options, selected } = data;
  const closed = !options.some((other) => other.do?.length > 0 || other.id === selected);
  if (stale || closed || context.may === false || (!act && !context.run)) return null;
  const given = (values) =>
    Object.fromEntries(Object.entries({ option: o.id, ...values }).filter(([, v]) => v !== ''));
  return {
    dining: o.dining ?? [],
    run: (what, values) =>
      act
        ? act('swap', { what, ...given(values) })
        : context.run(`swap_trip_${what}`, { trip, run, ...given(values) }),
  };
}

// choosing are the calls of a plan. That which selects it does so here, where it can.
function choosing(o, { data, act, stale }, context) {
  const able = stale ? [] : (o.do ?? []).filter((c) => !(o.id === data.selected && selects(c)));
  const here = context.may === false ? null : act && able.find(selects);
  return [
    here
      ? h(
          'div',
          { class: 'travel-do' },
          h(
            'button',
            {
              type: 'button',
              class: 'button small primary',
              'aria-label': `${here.label}: ${o.title}`,
              onclick: () => act('selection', { option: o.id }),
            },
            h('span', {}, here.label),
          ),
        )
      : null,
    doing(
      able.filter((c) => c !== here),
      context,
      { about: o.title, main: selects },
    ),
  ];
}

function column(o, id, card, context) {
  const { said } = card;
  const swaps = swapsOf(o, card, context);
  const chosen = o.id === card.data.selected;
  const { amount, whom } = totalOf(o.total);
  return h(
    'article',
    {
      class: 'plan',
      id,
      'data-option': o.id,
      'data-tier': o.tier,
      'data-selected': chosen,
      'aria-label': `${o.title}, ${o.total}${chosen ? ', selected' : ''}`,
    },
    h(
      'header',
      { class: 'plan-head' },
      h(
        'p',
        { class: 'plan-tier' },
        level(o.tier),
        h('span', { 'aria-hidden': 'true' }, tiers[o.tier]?.[0] ?? o.tier),
        chosen ? h('span', { class: 'plans-chosen' }, icon('check'), h('span', {}, 'Selected')) : null,
      ),
      h('h4', { tabindex: '-1' }, o.title),
      o.description ? h('p', { class: 'plan-about' }, o.description) : null,
    ),
    h(
      'div',
      { class: 'plan-money' },
      h('p', { class: 'plan-total' }, h('b', {}, amounts(amount)), whom ? h('span', {}, whom) : null),
      o.exact
        ? h('p', { class: 'plan-exact' }, h('span', { class: 'visually-hidden' }, 'Exactly '), amounts(o.exact))
        : null,
      o.costs?.length > 0
        ? h(
            'ul',
            { class: 'plan-costs' },
            o.costs.map((c) =>
              h(
                'li',
                {},
                h('i', { 'data-category': c.category, 'aria-hidden': 'true' }),
                h('span', {}, c.label),
                origin(c.source),
                h('b', {}, c.text),
              ),
            ),
          )
        : null,
    ),
    h(
      'div',
      { class: 'plan-why' },
      o.highlights?.length > 0
        ? h(
            'ul',
            { class: 'plan-highlights' },
            o.highlights.map((words) => h('li', {}, icon('check'), h('span', {}, words))),
          )
        : null,
      o.tags?.length > 0
        ? h(
            'ul',
            { class: 'amenities', 'aria-label': 'Tags' },
            o.tags.map((t) => h('li', {}, t)),
          )
        : null,
      o.gaps?.length > 0
        ? h(
            'ul',
            { class: 'plan-gaps', 'aria-label': 'What is missing' },
            o.gaps.map((g) => h('li', {}, icon('alert'), h('span', {}, g))),
          )
        : null,
    ),
    h(
      'div',
      { class: 'plan-choose' },
      chosen ? h('p', { class: 'plan-is' }, icon('check'), h('span', {}, 'Selected for your trip')) : null,
      said?.option === o.id
        ? h(
            'p',
            { class: ['plan-said', said.failed && 'failed'] },
            icon(said.failed ? 'alert' : 'check'),
            h('span', {}, said.words),
          )
        : null,
      choosing(o, card, context),
    ),
    h(
      'div',
      { class: 'plan-days' },
      o.days.map((d, n) => dayView(d, n === 0, swaps)),
    ),
    h(
      'div',
      { class: 'plan-more' },
      others('Other ways there', o.transport, 'plane', 'transport', swaps),
      others('Other stays', o.stays, 'bed', 'stay', swaps),
      others('Other tables', o.dining, 'fork', '', swaps),
    ),
  );
}

// origin says where a price comes from: a mark with its word.
function origin(source, quiet = false) {
  const [short, long] = sources[source] ?? [source, source];
  return h(
    'span',
    { class: ['source', quiet && 'quiet'], 'data-source': source, title: `${short}: ${long}` },
    h('i', { 'aria-hidden': 'true' }),
    h('span', { class: quiet ? 'visually-hidden' : null }, short),
  );
}

// dayView is a day: a drawing of it, and its things in order when it is opened.
function dayView(day, first, swaps) {
  const items = inClockOrder(day.items ?? []); // a long part leaves out those of the last days
  return h(
    'details',
    { class: 'plan-day', 'data-day': day.number },
    h(
      'summary',
      {},
      h(
        'span',
        { class: 'plan-day-head' },
        h('span', { class: 'plan-date', 'aria-label': longDay(day.date) }, shortDay(day.date)),
        h('b', {}, day.title),
        icon('chevron', 'turn'),
      ),
      drawn(items, first),
    ),
    items.length === 0
      ? h('p', { class: 'plan-detail' }, 'This day is not shown here: ask for it.')
      : h(
          'ol',
          { class: 'plan-items' },
          items.map((i) => itemView(i, day, swaps)),
        ),
    day.note ? h('p', { class: 'plan-day-note' }, icon('info'), h('span', {}, day.note)) : null,
    swaps && items.some((i) => i.kind === 'activity')
      ? h(
          'div',
          { class: 'travel-do' },
          h(
            'button',
            {
              type: 'button',
              class: 'button small',
              'aria-label': `Something else on day ${day.number}`,
              onclick: () => swaps.run('day', { day: day.number }),
            },
            icon('retry'),
            h('span', {}, 'Something else'),
          ),
        )
      : null,
  );
}

// drawn is a day as a line from 6 to 24 o'clock.
function drawn(items, labelled) {
  const list = blocks(items);
  const lanes = Math.max(0, ...list.map((b) => b.lane)) + 1;
  const line = h(
    'span',
    { class: 'plan-line-bars' },
    hours.map(({ at }) => put(h('i', { class: 'plan-hour' }), { left: at })),
    list.map((b) => {
      const block = put(
        h('i', {
          class: ['plan-block', b.after && 'after'],
          'data-kind': b.kind,
          'data-source': b.source,
          title: b.title,
        }),
        { left: b.left, width: b.width },
      );
      block.style.setProperty('--lane', String(b.lane));
      return block;
    }),
  );
  line.style.setProperty('--lanes', String(lanes));
  return h(
    'span',
    { class: 'plan-line', 'aria-hidden': 'true' },
    line,
    labelled
      ? h(
          'span',
          { class: 'plan-hours' },
          hours.map(({ label, at }) => put(h('span', {}, label), { left: at })),
        )
      : null,
  );
}

function itemView(item, day, swaps) {
  const { kind, title, from, to, nights, walk, cost, source, detail, wish } = item;
  return h(
    'li',
    { class: 'plan-item', 'data-kind': kind },
    walk > 0 ? h('p', { class: 'plan-walk' }, icon('walk'), h('span', {}, `${walk} min on foot`)) : null,
    h(
      'div',
      { class: 'plan-time' },
      from ? h('b', {}, from) : null,
      to
        ? h(
            'span',
            {},
            h('span', { class: 'visually-hidden' }, ' to '),
            to,
            nights > 0
              ? [
                  h('sup', { 'aria-hidden': 'true' }, later(nights)),
                  h('span', { class: 'visually-hidden' }, ` ${laterWords(nights)}`),
                ]
              : null,
          )
        : null,
    ),
    h('span', { class: 'plan-mark' }, icon(drawingOf(item))),
    h(
      'div',
      { class: 'plan-words' },
      h(
        'p',
        { class: 'plan-title' },
        h('b', {}, title),
        wish
          ? h(
              'span',
              { class: 'plan-wish', title: `As you wished: ${wish}` },
              icon('star'),
              h('span', {}, 'your wish'),
            )
          : null,
      ),
      detail || (kind === 'stay' && nights > 0)
        ? h(
            'p',
            { class: 'plan-detail' },
            [kind === 'stay' && nights > 0 ? `${nights} ${nights === 1 ? 'night' : 'nights'}` : '', detail]
              .filter(Boolean)
              .join(' · '),
          )
        : null,
      h('div', { class: 'plan-cost' }, cost ? h('b', {}, cost) : null, source ? origin(source) : null),
    ),
    swapMeal(item, day, swaps),
  );
}

// swapMeal is a button that opens what else there is for a meal of a day.
function swapMeal(item, day, swaps) {
  if (!swaps || item.kind !== 'meal' || !item.meal) return null;
  const list = h(
    'ul',
    { class: 'plan-instead', hidden: true },
    [{ code: '', title: 'The next best' }, ...swaps.dining.filter((a) => a.meal === item.meal)].map((a) =>
      h(
        'li',
        {},
        h(
          'button',
          {
            type: 'button',
            class: 'plan-take',
            onclick: () => swaps.run('meal', { day: day.number, meal: item.meal, with: a.code }),
          },
          h('b', {}, a.title),
          a.detail ? h('span', {}, a.detail) : null,
          a.cost || a.source
            ? h('span', { class: 'plan-cost' }, a.cost ? h('b', {}, a.cost) : null, a.source ? origin(a.source) : null)
            : null,
        ),
      ),
    ),
  );
  const turn = iconButton(`Another place instead of ${item.title}`, 'retry', {
    class: 'icon-button small plan-swap',
    'aria-expanded': 'false',
    onclick: () => {
      list.hidden = !list.hidden;
      turn.setAttribute('aria-expanded', String(!list.hidden));
    },
  });
  return [turn, list];
}

function others(label, list, drawing, what, swaps) {
  if (!list || list.length === 0) return null;
  return h(
    'details',
    { class: 'plan-others' },
    h('summary', {}, icon(drawing), h('span', {}, `${label} (${list.length})`), icon('chevron', 'turn')),
    h(
      'ul',
      {},
      list.map((a) =>
        h(
          'li',
          {},
          h('p', { class: 'plan-title' }, h('b', {}, a.title)),
          a.detail ? h('p', { class: 'plan-detail' }, a.detail) : null,
          h(
            'div',
            { class: 'plan-cost' },
            a.cost ? h('b', {}, a.cost) : null,
            origin(a.source),
            what && swaps
              ? h(
                  'button',
                  {
                    type: 'button',
                    class: 'button small',
                    'aria-label': `Use this: ${a.title}`,
                    onclick: () => swaps.run(what, { with: a.code }),
                  },
                  h('span', {}, 'Use this'),
                )
              : null,
          ),
        ),
      ),
    ),
  );
}

// asides are what the plans rest on, and what the marks mean.
function asides({ options, assumptions, risks, questions }, note) {
  const list = (title, drawing, all) =>
    all?.length > 0
      ? h(
          'div',
          {},
          h('h4', {}, icon(drawing), title),
          h(
            'ul',
            {},
            all.map((words) => h('li', {}, words)),
          ),
        )
      : null;
  return h(
    'div',
    { class: 'plans-asides' },
    h(
      'p',
      { class: 'plans-legend plans-sources' },
      sourcesOf(options).map((s) => h('span', {}, origin(s), ` ${sources[s][1]}`)),
    ),
    note || [assumptions, risks, questions].some((all) => all?.length > 0)
      ? h(
          'div',
          { class: 'plans-said' },
          list('Compared', 'tools', note ? [note] : []),
          list('Assumed', 'info', assumptions),
          list('Mind', 'alert', risks),
          list('Still open', 'pencil', questions),
        )
      : null,
  );
}

function foot({ trip, title, document: address, selected, do: choices }, context) {
  const words = h('span', { role: 'status', class: 'travel-said' });
  const fetchFile = (path, name) => async (e) => {
    const pressed = e.currentTarget;
    pressed.disabled = true;
    words.textContent = '';
    try {
      await context.file(path, name);
    } catch (error) {
      words.textContent = error.message;
    }
    pressed.disabled = false;
  };
  return h(
    'div',
    { class: 'travel-foot' },
    doing(choices, context, { about: title }),
    address && context.file
      ? button('PDF', { class: 'small', icon: 'export', onclick: fetchFile(address, `${trip}.pdf`) })
      : null,
    selected && context.file
      ? button('Calendar file', {
          class: 'small',
          icon: 'calendar',
          onclick: fetchFile(`/api/trips/${encodeURIComponent(trip)}/calendar.ics`, `${trip}.ics`),
        })
      : null,
    context.shares
      ? button('Share', { class: 'small', icon: 'share', onclick: () => context.shares.open({ trip, title }) })
      : null,
    words,
  );
}
