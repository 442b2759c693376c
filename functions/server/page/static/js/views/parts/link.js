import { h } from '../../dom.js';

// show shows a link that the server let through: https, a door of ours, or, where
// this page itself is served in the clear, a file store of the same machine. A
// page of another host opens by itself and learns nothing of this one.
export function show(part) {
  const { label = '', url = '' } = part.data;
  const target = new URL(url, location.href);
  const own = target.origin === location.origin && target.pathname.startsWith('/api/');
  const beside =
    location.protocol === 'http:' &&
    target.protocol === 'http:' &&
    ['localhost', '127.0.0.1', '[::1]'].includes(target.hostname);
  if (!own && !beside && target.protocol !== 'https:') throw new Error('The link leads nowhere.');
  return h(
    'p',
    { class: 'part-link' },
    h(
      'a',
      own
        ? { href: target.pathname + target.search }
        : { href: target.href, target: '_blank', rel: 'noopener noreferrer nofollow' },
      label,
    ),
    own ? null : h('span', { class: 'part-host' }, ` (${target.host})`),
  );
}
