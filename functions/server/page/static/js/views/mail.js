import { h, icon, iconButton } from '../dom.js';

// MailView shows what a development server caught instead of delivering it.
// Only the text of a message is shown: its HTML is a stranger's.
export class MailView {
  #path;
  #body = h('div', { class: 'drawer-body', 'aria-live': 'polite' });

  constructor(path) {
    this.#path = path;
    this.element = h(
      'dialog',
      { class: 'drawer', 'aria-label': 'Mail' },
      h(
        'header',
        { class: 'drawer-head' },
        h('h2', {}, 'Mail'),
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.#body,
    );
  }

  async open() {
    this.element.showModal();
    this.#body.replaceChildren(h('p', { class: 'form-help' }, 'Reading…'));
    try {
      const response = await fetch(this.#path, { headers: { Accept: 'application/json' }, cache: 'no-store' });
      if (!response.ok) throw new Error(`${this.#path}: ${response.status}`);
      const list = (await response.json()) ?? [];
      this.#body.replaceChildren(
        list.length === 0
          ? h(
              'div',
              { class: 'nothing' },
              icon('mail'),
              h('p', {}, 'Nothing has been sent yet. What Bellhop mails to guests is caught here instead.'),
            )
          : h('ul', { class: 'tools-list' }, list.map(letter)),
      );
    } catch (error) {
      console.error(error);
      this.#body.replaceChildren(
        h('div', { class: 'failure', role: 'alert' }, icon('alert'), h('p', {}, 'The caught mail cannot be read.')),
      );
    }
  }
}

// file is an attachment to be kept; it is not opened here.
function file({ name, type, content }) {
  const bytes = Uint8Array.from(atob(content ?? ''), (c) => c.charCodeAt(0));
  return h('a', { class: 'part-link', href: URL.createObjectURL(new Blob([bytes], { type })), download: name }, name);
}

function letter({ to, subject, caught, text, files }) {
  const when = new Date(caught);
  return h(
    'li',
    {},
    h(
      'details',
      { class: 'letter' },
      h(
        'summary',
        { class: 'tools-item' },
        h('span', { class: 'tools-name' }, subject || 'No subject'),
        h('span', { class: 'tools-effect' }, Number.isNaN(when.getTime()) ? '' : when.toLocaleString()),
        h('span', { class: 'tools-about' }, `to ${[to ?? []].flat().join(', ')}`),
      ),
      (files ?? []).map((f) => h('p', {}, file(f))),
      h('p', { class: 'letter-text' }, text || 'This message has no text, only HTML.'),
    ),
  );
}
