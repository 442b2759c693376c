import { h } from '../../dom.js';

// show shows pictures from Storage. Each is fetched when it comes into view, by
// an address that is signed then and kept nowhere; sign(id) returns it.
export function show(part, { open, sign }) {
  const { title = '', pictures = [] } = part.data;
  if (!sign || pictures.length === 0) throw new Error('The pictures cannot be fetched here.');
  return h('figure', { class: 'gallery' }, h('figcaption', {}, title),
    h('ul', { class: 'gallery-list' }, pictures.map((picture) => h('li', {},
      h('button', { type: 'button', class: 'gallery-open', 'aria-label': `Enlarge ${picture.alt}`, onclick: () => open?.(picture.alt, frame(picture, sign, 'gallery-large', 1600, 1200)) },
        frame(picture, sign, 'gallery-small', 220, 160))))));
}

// frame is a picture within so much room, which it takes before it arrives, so
// that nothing moves then; or words where it does not arrive.
function frame(picture, sign, name, wide, high) {
  const { source = '', alt = '', width = 1, height = 1 } = picture;
  const scale = Math.min(1, wide / width, high / height);
  const image = h('img', { class: name, alt, width: Math.round(width * scale), height: Math.round(height * scale), loading: 'lazy', decoding: 'async' });
  const box = h('span', { class: 'gallery-frame' }, image);
  const fail = () => box.replaceChildren(h('span', { class: 'gallery-gone' }, `${alt}: this picture is not kept any more.`));
  const id = /^\/api\/uploads\/([a-z2-9]{24})$/.exec(source)?.[1];
  if (!id) {
    fail();
    return box;
  }
  image.addEventListener('error', fail);
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    sign(id).then((address) => { image.src = address; }, fail);
  }, { rootMargin: '200px' });
  seen.observe(box);
  return box;
}
