import { h, icon, button } from '../../dom.js';
import { heroOf } from '../../page.js';
import { frame } from '../picture.js';

// show shows that there is a page of a project, and opens it beside the conversation.
export function show(part, { projects }) {
  if (!projects?.open) throw new Error('The page cannot be shown here.');
  const { project, title = '', type = '', place = '', photos = [], missing = [], edit = false, status } = part.data;
  const hero = heroOf(photos);
  const open = (editing) => projects.open(project, { edit: editing, page: part.data });
  return h(
    'div',
    { class: 'page-card', role: 'group', 'aria-label': `Page: ${title || 'no title yet'}` },
    hero
      ? frame({ ...hero, alt: '' }, () => projects.link(project, hero.id, 480), 'page-card-picture', 120, 90)
      : h('span', { class: 'page-card-none' }, icon('image')),
    h(
      'div',
      { class: 'page-card-words' },
      h('b', {}, title || 'No title yet'),
      h('span', {}, [type, place].filter(Boolean).join(' · ') || (status === 'published' ? 'Published' : 'Draft')),
      missing.length > 0
        ? h(
            'span',
            { class: 'page-card-missing' },
            missing.length === 1 ? '1 thing is missing' : `${missing.length} things are missing`,
          )
        : null,
    ),
    h(
      'div',
      { class: 'page-card-do' },
      button('See the page', { class: edit ? 'small' : 'primary small', icon: 'sidebar', onclick: () => open(false) }),
      projects.may
        ? button('Edit', { class: edit ? 'primary small' : 'small', icon: 'pencil', onclick: () => open(true) })
        : null,
    ),
  );
}
