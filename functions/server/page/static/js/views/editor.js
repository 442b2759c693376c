import { h, button } from '../dom.js';
import { limits } from '../page.js';
import { DropZone } from './dropzone.js';
import { PhotoList } from './editphotos.js';
import { BlockList } from './editblocks.js';
import { PlaceFields, Privacy, TextField, WordsField } from './editfields.js';

// Editor has the fields of a project. Each is saved by itself, when it is left, by a call
// of a tool; what the server has made of it comes back by update. What is being written
// stays.
export class Editor {
  #draft;
  #fields = [];
  element;

  // options: photos (PhotoUploads), link(photo, width), and may, whether the person may
  // change anything.
  constructor(draft, { photos, link, may }) {
    this.#draft = draft;
    const add = (field) => {
      this.#fields.push(field);
      return field.element;
    };
    const text = (field, label, read, more) =>
      add(
        new TextField(
          more.group ? `${field} ${more.group}` : field,
          label,
          read,
          (value) => draft.setField(field, value),
          more,
        ),
      );
    const words = (field, label, hint) =>
      add(
        new WordsField(
          field,
          label,
          (p) => p[field] ?? [],
          (list) => draft.setField(field, list),
          hint,
        ),
      );
    const rewrite = (section, what) =>
      button('Write it anew', {
        class: 'small quiet',
        icon: 'retry',
        'aria-label': `Write the ${what} anew`,
        onclick: () => draft.rewrite(section),
      });
    this.element = h(
      'fieldset',
      { class: 'editor', disabled: !may },
      h('legend', { class: 'visually-hidden' }, 'Edit the page'),
      group(
        'Photos',
        add(new PhotoList(draft, link)),
        may ? new DropZone({ title: 'Add photos', most: limits.images, photos, draft }).element : null,
        add(new Privacy(draft)),
      ),
      group(
        'Words',
        text('title', 'Title', (p) => p.title, { most: limits.title, help: rewrite('title', 'title') }),
        text('description', 'Description', (p) => p.description, {
          most: limits.description,
          rows: 6,
          help: rewrite('description', 'description'),
        }),
        text('type', 'Kind of job', (p) => p.type, { most: limits.entry }),
        add(new PlaceFields(draft)),
      ),
      group(
        'Lists',
        words('materials', 'Materials', 'oak, slate'),
        words('techniques', 'Techniques', 'dovetail joints'),
        words('tags', 'Tags', 'kitchen'),
      ),
      group('Page', add(new BlockList(draft, link))),
      group(
        'Search engines',
        text('seoTitle', 'Title for search engines', (p) => p.seo?.title, {
          most: limits.seoTitle,
          group: 'seo',
          help: rewrite('seo', 'texts for search engines'),
        }),
        text('seoDescription', 'Description for search engines', (p) => p.seo?.description, {
          most: limits.seoDescription,
          rows: 3,
        }),
      ),
    );
    this.update();
  }

  update() {
    const { project } = this.#draft;
    if (!project) return;
    for (const field of this.#fields) field.update(project);
  }

  // show leads to the field that a check names.
  show(field) {
    const found = this.element.querySelector(`[data-field~="${CSS.escape(field)}"]`) ?? this.element;
    found.scrollIntoView({ block: 'start' });
    found.querySelector('input:not([type="file"]), textarea, select, button')?.focus({ preventScroll: true });
  }
}

function group(name, ...content) {
  return h('div', { class: 'editor-group', role: 'group', 'aria-label': name }, h('h3', {}, name), content);
}
