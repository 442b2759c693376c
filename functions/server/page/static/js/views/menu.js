import { h, icon } from '../dom.js';

// menu is a button with a list of choices below it. It closes by itself on a
// choice, on Escape and on a click elsewhere; the arrows walk through it.
// summary is what the button shows, label its name where that says none, items are elements or null.
export function menu(label, summary, items, { class: className = '' } = {}) {
  const list = h('div', { class: 'menu' }, items);
  const top = h('summary', { 'aria-label': label || null, title: label || null }, summary);
  const element = h('details', { class: ['menu-of', className] }, top, list);
  const close = (back) => {
    if (!element.open) return;
    element.open = false;
    if (back) top.focus();
  };
  const outside = (e) => !element.contains(e.target) && close(false);
  // It listens only while it is open, so that a menu that is gone hears nothing.
  element.addEventListener('toggle', () => {
    if (element.open) document.addEventListener('click', outside);
    else document.removeEventListener('click', outside);
  });
  list.addEventListener('click', (e) => e.target.closest('.menu-item') && close(true));
  element.addEventListener('keydown', (e) => {
    if (e.key === 'Escape' && element.open) {
      e.stopPropagation();
      return close(true);
    }
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    e.preventDefault();
    element.open = true;
    const all = [...list.querySelectorAll('.menu-item:not(:disabled)')];
    const at = all.indexOf(document.activeElement);
    const next = e.key === 'ArrowDown' ? at + 1 : at < 0 ? all.length - 1 : at - 1;
    all.at(next % all.length)?.focus();
  });
  return element;
}

// choice is one line of a menu.
export function choice(label, { icon: drawing, hint = '', ...attributes } = {}) {
  return h(
    'button',
    { type: 'button', class: 'menu-item', ...attributes },
    drawing ? icon(drawing) : null,
    h('span', {}, label),
    hint ? h('small', {}, hint) : null,
  );
}
