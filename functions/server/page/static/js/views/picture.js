import { h } from '../dom.js';

// frame is a picture within so much room, which it takes before it arrives, so
// that nothing moves then; or words where it does not arrive. It is fetched when it comes
// into view, by an address that address() signs then.
export function frame({ alt = '', width = 1, height = 1 }, address, name, wide, high) {
  const scale = Math.min(1, wide / (width || 1), high / (height || 1));
  const image = h('img', {
    class: name,
    alt,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    loading: 'lazy',
    decoding: 'async',
  });
  const box = h('span', { class: 'gallery-frame' }, image);
  const fail = () =>
    box.replaceChildren(
      h('span', { class: 'gallery-gone' }, `${alt || 'This picture'}: this picture is not kept any more.`),
    );
  image.addEventListener('error', fail);
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      address().then((url) => {
        image.src = url;
      }, fail);
    },
    { rootMargin: '200px' },
  );
  seen.observe(box);
  return box;
}
