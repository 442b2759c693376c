import { h } from '../dom.js';
import { heroOf, rest } from '../page.js';
import { frame } from './picture.js';

// preview shows a project as its page will look. link(photo, width) returns a photo's
// address.
export function preview(page, link) {
  const {
    title,
    type,
    place,
    description,
    tags = [],
    materials = [],
    techniques = [],
    blocks = [],
    photos = [],
  } = page;
  const hero = heroOf(photos);
  const others = rest(page);
  const picture = (photo, name, wide, high) =>
    frame(
      { ...photo, alt: photo.alt || 'A photo of the project' },
      () => link(photo.id, wide > 480 ? 960 : 480),
      name,
      wide,
      high,
    );
  const reading = photos.filter((p) => p.state === 'reading').length;
  return h(
    'article',
    { class: 'preview', 'aria-label': 'Preview of the page' },
    hero
      ? h('div', { class: 'preview-hero' }, picture(hero, 'preview-picture', 960, 640))
      : h('p', { class: 'preview-none' }, 'Photos stand here.'),
    h('h3', { class: ['preview-title', !title && 'blank'] }, title || 'The title stands here'),
    type || place ? h('p', { class: 'preview-facts' }, [type, place].filter(Boolean).join(' · ')) : null,
    description
      ? h('p', { class: 'preview-lead' }, description)
      : h('p', { class: 'preview-lead blank' }, 'A description of the job stands here.'),
    blocks.map((b) => block(b, photos, picture)),
    others.length > 0
      ? h(
          'div',
          { class: 'preview-photos' },
          others.map((p) => picture(p, 'preview-picture', 480, 480)),
        )
      : null,
    reading > 0
      ? h(
          'p',
          { class: 'preview-none' },
          reading === 1 ? 'One photo is still being read.' : `${reading} photos are still being read.`,
        )
      : null,
    facts('Materials', materials),
    facts('Techniques', techniques),
    facts('Tags', tags),
  );
}

function block({ kind, text = '', items = [] }, photos, picture) {
  const of = (id) => photos.find((p) => p.id === id && p.state === 'ready');
  switch (kind) {
    case 'heading':
      return h('h4', { class: 'preview-heading' }, text);
    case 'list':
      return h(
        'ul',
        { class: 'preview-list' },
        items.map((i) => h('li', {}, i)),
      );
    case 'quote':
      return h('blockquote', { class: 'preview-quote' }, text);
    case 'gallery':
      return h(
        'div',
        { class: 'preview-photos' },
        items
          .map(of)
          .filter(Boolean)
          .map((p) => picture(p, 'preview-picture', 480, 480)),
      );
    case 'comparison': {
      const [before, after] = items.map(of);
      return h(
        'div',
        { class: 'preview-pair' },
        [
          ['Before', before],
          ['After', after],
        ].map(([name, p]) => p && h('figure', {}, picture(p, 'preview-picture', 480, 480), h('figcaption', {}, name))),
      );
    }
    default:
      return h('p', { class: 'preview-text' }, text);
  }
}

function facts(name, list) {
  return list.length === 0
    ? null
    : h(
        'div',
        { class: 'preview-words' },
        h('h4', {}, name),
        h(
          'ul',
          {},
          list.map((w) => h('li', {}, w)),
        ),
      );
}
