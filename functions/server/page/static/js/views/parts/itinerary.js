import { h, icon, button } from '../../dom.js';
import { doing, heading } from '../travel.js';
import { dayLines, later, laterWords, longDay, shortDay, states } from '../../travel.js';

const drawings = { flight: 'plane', hotel: 'bed', activity: 'star', travel: 'clock', note: 'file' };
const types = { flight: 'Flight', hotel: 'Hotel', activity: 'Activity', travel: 'On the way', note: 'Note' };
const hours = [6, 12, 18];

// show shows a trip by day. The line of a day has its times from midnight to midnight;
// the list below says the same.
export function show(part, context) {
  const { title, detail, trip, days, warnings = [], calendar, do: choices } = part.data;
  const lines = dayLines(days);
  const words = h('span', { role: 'status', class: 'travel-said' });
  const fetchFile = async (e) => {
    const pressed = e.currentTarget;
    pressed.disabled = true;
    words.textContent = '';
    try {
      await context.file(calendar, `${trip}.ics`);
    } catch (error) {
      words.textContent = error.message;
    }
    pressed.disabled = false;
  };
  const again = context.again
    ? button('Refresh', {
        class: 'small',
        icon: 'retry',
        onclick: (e) => refresh(e.currentTarget, context.again, trip, words),
      })
    : null;
  const file =
    calendar && context.file
      ? button('Calendar file', { class: 'small', icon: 'calendar', onclick: fetchFile })
      : null;
  return h(
    'section',
    { role: 'group', class: 'travel itinerary', 'aria-label': `Trip: ${title}` },
    heading('calendar', title, [detail, trip].filter(Boolean).join(' · ')),
    warnings.length > 0
      ? h(
          'ul',
          { class: 'travel-warnings' },
          warnings.map((w) => h('li', { class: 'travel-warning' }, icon('alert'), h('span', {}, w))),
        )
      : null,
    h(
      'ol',
      { class: 'days' },
      days.map((d, i) => dayView(d, lines[i], context)),
    ),
    h('div', { class: 'travel-foot' }, doing(choices, context, { about: title }), file, again, words),
  );
}

// The part may come from a tool that changed the trip, which is not to be repeated.
async function refresh(pressed, again, trip, words) {
  pressed.disabled = true;
  try {
    await again.run({ trip }, 'show_itinerary');
  } catch (error) {
    words.textContent = error.message;
  }
  pressed.disabled = false;
}

function dayView({ date, place, items }, bars, context) {
  return h(
    'li',
    { class: 'day' },
    h(
      'div',
      { class: 'day-head' },
      h('h4', { 'aria-label': longDay(date) }, shortDay(date)),
      place
        ? h(
            'span',
            { class: 'day-place' },
            icon('bed'),
            h('span', {}, h('span', { class: 'visually-hidden' }, 'Night in '), place),
          )
        : null,
    ),
    bars.length > 0 ? line(bars) : null,
    items.length > 0
      ? h(
          'ul',
          { class: 'items' },
          items.map((item) => itemView(item, context)),
        )
      : h('p', { class: 'day-free' }, 'Nothing planned'),
  );
}

// line draws a day from midnight to midnight.
function line(bars) {
  const lanes = Math.max(0, ...bars.map((b) => b.lane)) + 1;
  const drawn = h(
    'div',
    { class: 'dayline-bars' },
    hours.map((hour) => put(h('i', { class: 'dayline-hour' }), { left: hour / 24 })),
    bars.map((b) => {
      const bar = h('i', {
        class: ['dayline-bar', b.before && 'before', b.after && 'after'],
        'data-type': b.type,
        'data-status': b.status,
      });
      bar.style.setProperty('--lane', String(b.lane));
      return put(bar, { left: b.start, width: Math.max(b.end - b.start, 0.008) });
    }),
  );
  drawn.style.setProperty('--lanes', String(lanes));
  return h(
    'div',
    { class: 'dayline', 'aria-hidden': 'true' },
    drawn,
    h(
      'div',
      { class: 'dayline-hours' },
      [0, ...hours, 24].map((hour) => put(h('span', {}, String(hour)), { left: hour / 24 })),
    ),
  );
}

function put(element, places) {
  for (const [name, share] of Object.entries(places)) element.style[name] = `${(share * 100).toFixed(3)}%`;
  return element;
}

function itemView(item, context) {
  const { type, status, title, from, to, nights, zone, detail, warn } = item;
  const clock = from
    ? [
        h('b', {}, from),
        to
          ? h(
              'span',
              {},
              h('span', { class: 'visually-hidden' }, ' to '),
              h('span', { 'aria-hidden': 'true' }, '– '),
              to,
              nights
                ? [
                    h('sup', { 'aria-hidden': 'true' }, later(nights)),
                    h('span', { class: 'visually-hidden' }, ` ${laterWords(nights)}`),
                  ]
                : null,
            )
          : null,
        zone ? h('small', {}, zone) : null,
      ]
    : [h('span', {}, 'All day')];
  return h(
    'li',
    { class: 'item', 'data-type': type, 'data-status': status },
    h('div', { class: 'item-time' }, clock),
    h('span', { class: 'item-mark' }, icon(drawings[type] ?? 'star')),
    h(
      'div',
      { class: 'item-words' },
      h(
        'p',
        { class: 'item-title' },
        h('span', { class: 'visually-hidden' }, `${types[type] ?? type}: `),
        h('b', {}, title),
        status === 'planned' ? null : h('span', { class: 'state', 'data-state': status }, states[status] ?? status),
      ),
      detail ? h('p', { class: 'item-detail' }, detail) : null,
      warn ? h('p', { class: 'item-warn' }, icon('alert'), h('span', {}, warn)) : null,
    ),
    doing(item.do, context, { about: title }),
  );
}
