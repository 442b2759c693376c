import { h, icon, button, iconButton } from '../dom.js';
import { initials } from '../format.js';
import { formats } from '../files.js';
import { looks } from '../prefs.js';
import { menu, choice } from './menu.js';

// Shell is the frame around a conversation: bar, tabs, footer. The part in
// the middle is set with show; the sidebar stands beside it.
export class Shell {
  #body = h('div', { class: 'shell-body' });
  #sidebar;
  #shade = h('div', { class: 'sidebar-shade', hidden: true });
  #opener;
  #view = null;
  #tabs;
  #assistants;
  #beside;

  // options: assistants, person {name, email, org, role}, model, mail() and
  // asked() (development only), choose(name), tools(), save(format), fresh(),
  // signOut(), intents() for those who may be administrators, sidebar with
  // turnSidebar(), look with dress(look), the colours that are worn, and developer
  // with setDeveloper(on), which shows what developers want, beside, which stands at the
  // other side of the conversation, and business(), for those who have projects; both may
  // be null. own are further entries of the account's menu: [label, open].
  constructor({ assistants, person, model, mail, asked, choose, tools, save, fresh, sidebar, beside, ...own }) {
    this.#assistants = assistants;
    this.#sidebar = sidebar;
    this.#opener = iconButton('Conversations', 'sidebar', {
      'aria-expanded': 'false',
      'aria-controls': 'sidebar',
      hidden: true,
      onclick: () => own.turnSidebar(),
    });
    this.#shade.addEventListener('click', () => own.turnSidebar());
    this.#body.append(sidebar.element, this.#shade, ...(beside ? [beside] : []));
    this.#beside = beside ?? null;
    this.#tabs = h(
      'nav',
      { class: 'tabs', 'aria-label': 'Assistants', hidden: assistants.length < 2 },
      assistants.map((a) =>
        h('button', { type: 'button', class: 'tab', 'data-name': a.name, onclick: () => choose(a.name) }, a.title),
      ),
    );
    this.element = h(
      'div',
      { class: 'shell' },
      h('a', { class: 'skip', href: '#chat', onclick: skip }, 'Skip to the conversation'),
      h(
        'header',
        { class: 'bar' },
        this.#opener,
        h('div', { class: 'brand' }, h('span', { class: 'brand-mark' }, icon('bell')), h('h1', {}, 'Bellhop')),
        this.#tabs,
        h(
          'div',
          { class: 'bar-end' },
          menu(
            'Save this conversation',
            icon('export'),
            [
              h('p', { class: 'menu-head', 'aria-hidden': 'true' }, 'Save this conversation'),
              formats.map((f) => choice(f.label, { hint: f.hint, onclick: () => save(f) })),
            ],
            { class: 'icon-menu' },
          ),
          iconButton('Tools', 'tools', { onclick: tools }),
          button('New chat', { icon: 'plus', class: 'new-chat', onclick: fresh }),
          account(person, own),
        ),
      ),
      this.#body,
      model
        ? h(
            'footer',
            { class: 'dev' },
            h('span', { class: 'dev-mark' }, 'Development'),
            h('span', {}, 'Model: ', h('code', {}, model)),
            asked ? h('button', { type: 'button', class: 'link', onclick: asked }, 'Model log') : null,
            mail ? h('button', { type: 'button', class: 'link dev-mail', onclick: mail }, 'Caught mail') : null,
          )
        : null,
    );
  }

  // show puts the view of an assistant into the frame.
  show(name, view) {
    for (const tab of this.#tabs.children) {
      const own = tab.dataset.name === name;
      if (own) tab.setAttribute('aria-current', 'page');
      else tab.removeAttribute('aria-current');
    }
    const found = this.#assistants.find((a) => a.name === name);
    document.title = found ? `${found.title} – Bellhop` : 'Bellhop';
    this.#view?.remove();
    this.#view = view;
    this.#body.insertBefore(view, this.#beside);
  }

  // offerSidebar shows or hides the button of the sidebar.
  offerSidebar(yes) {
    this.#opener.hidden = !yes;
    this.#opener.setAttribute('aria-expanded', String(this.#sidebar.open));
  }

  // setSidebar opens or closes it. Where it lies over the conversation, that
  // waits.
  setSidebar(open, over) {
    this.#sidebar.open = open;
    const seen = this.#sidebar.open;
    this.#opener.setAttribute('aria-expanded', String(seen));
    this.#shade.hidden = !(seen && over);
    if (this.#view) this.#view.inert = seen && over;
    if (!over) return;
    if (seen) this.#sidebar.focus();
    else if (!this.#opener.hidden) this.#opener.focus();
  }
}

// The address after # names the assistant, so the link moves only the focus.
function skip(event) {
  event.preventDefault();
  document.getElementById('chat')?.focus();
}

function account(
  { name, email, org, role },
  { signOut, intents, business, own = [], look, dress, developer, setDeveloper },
) {
  const choices = looks.map(([value, label]) =>
    choice(label, {
      'aria-pressed': String(look === value),
      onclick: () => {
        choices.forEach((c, i) => c.setAttribute('aria-pressed', String(looks[i][0] === value)));
        dress(value);
      },
    }),
  );
  const details = choice('Details for developers', {
    'aria-pressed': String(developer),
    onclick: () => {
      const on = details.getAttribute('aria-pressed') !== 'true';
      details.setAttribute('aria-pressed', String(on));
      setDeveloper(on);
    },
  });
  return menu(
    '',
    [
      h('span', { class: 'visually-hidden' }, 'Account of '),
      h('span', { class: 'avatar', 'aria-hidden': 'true' }, initials(name)),
      h('span', { class: 'account-name' }, h('strong', {}, name), org ? h('span', {}, org) : null),
    ],
    [
      h(
        'p',
        { class: 'menu-who' },
        h('strong', {}, name),
        h('span', {}, email),
        org ? h('span', {}, [org, role].filter(Boolean).join(' · ')) : null,
      ),
      h(
        'div',
        { role: 'group', 'aria-label': 'Colours' },
        h('p', { class: 'menu-head', 'aria-hidden': 'true' }, 'Colours'),
        choices,
      ),
      h('hr'),
      details,
      own.map(([label, open]) => choice(label, { onclick: open })),
      business ? choice('Business profile', { onclick: business }) : null,
      intents ? choice('Intents', { onclick: intents }) : null,
      h('hr'),
      choice('Sign out', { icon: 'out', onclick: signOut }),
    ],
    { class: 'account' },
  );
}
