// h builds an element. Attributes named on… are listeners, class may be a
// list, false and null leave an attribute out. Children are nodes or text;
// there is no way to pass markup.
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'class') {
      const names = [value].flat().filter(Boolean).join(' ');
      if (names) element.className = names;
    } else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false && c !== ''));
  return element;
}

const svg = 'http://www.w3.org/2000/svg';

// icon shows one of the drawings in index.html; it says nothing to screen readers.
export function icon(name, className = '') {
  const element = document.createElementNS(svg, 'svg');
  element.setAttribute('class', `icon ${className}`.trim());
  element.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(svg, 'use');
  use.setAttribute('href', `#i-${name}`);
  element.append(use);
  return element;
}

// button is a button with an optional icon in front of its text.
export function button(label, { icon: drawing, class: className = '', ...attributes } = {}) {
  return h(
    'button',
    { type: 'button', class: `button ${className}`.trim(), ...attributes },
    drawing ? icon(drawing) : null,
    h('span', {}, label),
  );
}

// iconButton is a button that shows only a drawing and is read as its label.
export function iconButton(label, drawing, attributes = {}) {
  return h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, ...attributes },
    icon(drawing),
  );
}
