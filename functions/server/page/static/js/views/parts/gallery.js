import { h } from '../../dom.js';
import { frame } from '../picture.js';

// show shows pictures from Storage. Each is fetched when it comes into view, by
// an address that is signed then and kept nowhere; sign(id) returns it.
export function show(part, { open, sign }) {
  const { title = '', pictures = [] } = part.data;
  if (!sign || pictures.length === 0) throw new Error('The pictures cannot be fetched here.');
  return h(
    'figure',
    { class: 'gallery' },
    h('figcaption', {}, title),
    h(
      'ul',
      { class: 'gallery-list' },
      pictures.map((picture) =>
        h(
          'li',
          {},
          h(
            'button',
            {
              type: 'button',
              class: 'gallery-open',
              'aria-label': `Enlarge ${picture.alt}`,
              onclick: () => open?.(picture.alt, sized(picture, sign, 'gallery-large', 1600, 1200)),
            },
            sized(picture, sign, 'gallery-small', 220, 160),
          ),
        ),
      ),
    ),
  );
}

function sized(picture, sign, name, wide, high) {
  const id = /^\/api\/uploads\/([a-z2-9]{24})$/.exec(picture.source ?? '')?.[1];
  return frame(picture, () => (id ? sign(id) : Promise.reject(new Error('no file of ours'))), name, wide, high);
}
