import { h, icon } from '../dom.js';

const root = document.getElementById('app');

// show replaces what the page shows.
export function show(element) {
  root.replaceChildren(element);
}

// notice shows a sentence instead of the page, and what may be done about it.
export function notice(text, ...actions) {
  show(
    h(
      'main',
      { class: 'signin' },
      h(
        'div',
        { class: 'signin-card' },
        h('p', { class: 'signin-alert', role: 'alert' }, icon('alert'), text),
        ...actions,
      ),
    ),
  );
}
