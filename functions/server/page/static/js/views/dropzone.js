import { h, icon, button, iconButton } from '../dom.js';
import { photoTypes, said } from '../photos.js';
import { size } from '../attach.js';

const names = { before: 'before the job', during: 'during the job', after: 'when it was done' };
const small = 96; // pixels of a small picture of a file, at its longer side

// DropZone takes photos of a project: dropped, chosen, or taken by the camera. It shows
// each on its way.
export class DropZone {
  #options;
  #photos;
  #shown = new Map(); // photo → its row
  #before; // those that were added before this was made
  #list = h('ul', { class: 'uploads', tabindex: '0', 'aria-label': 'Photos that are being added', hidden: true });
  #count = h('p', { class: 'dropzone-count', role: 'status' });
  #done = button('Done, go on', {
    class: 'primary small dropzone-done',
    icon: 'arrow',
    hidden: true,
    onclick: () => this.#goOn(),
  });
  #told; // photos of which the assistant knows
  element;

  // options: title, wanted, have, most, photos (PhotoUploads, or null before there is a
  // project), draft, say(words) or null, and begin(files), which makes the project where
  // there is none.
  constructor(options) {
    this.#options = options;
    this.#photos = options.photos ?? null;
    this.#told = this.#photos?.added ?? 0;
    this.#before = new Set(this.#photos?.list.filter((p) => p.state === 'ready'));
    const choose = this.#input({ multiple: true, accept: photoTypes });
    const take = this.#input({ accept: 'image/*', capture: 'environment' });
    this.element = h(
      'div',
      { class: 'dropzone', role: 'group', 'aria-label': options.title || 'Add photos' },
      h(
        'div',
        { class: 'dropzone-box' },
        icon('image'),
        h('p', { class: 'dropzone-title' }, options.title || 'Add photos of the job'),
        options.wanted?.length > 0
          ? h('p', { class: 'dropzone-wanted' }, `Wanted: ${options.wanted.map((w) => names[w] ?? w).join(', ')}`)
          : null,
        h(
          'p',
          { class: 'dropzone-hint' },
          h('span', { class: 'with-pointer' }, 'Drop them here, or choose them. '),
          'JPEG, PNG, WebP or HEIC, up to 15 MB each. The place that a camera stores in them is removed.',
        ),
        h(
          'div',
          { class: 'dropzone-do' },
          button('Choose photos', { class: 'primary small', icon: 'plus', onclick: () => choose.click() }),
          button('Take a photo', { class: 'small with-finger', icon: 'camera', onclick: () => take.click() }),
          choose,
          take,
        ),
      ),
      this.#list,
      h('div', { class: 'dropzone-foot' }, this.#count, this.#done),
    );
    this.#takeDrops();
    this.#listen();
    this.update();
  }

  #input(attributes) {
    const input = h('input', {
      type: 'file',
      hidden: true,
      tabindex: '-1',
      'aria-hidden': 'true',
      ...attributes,
      onchange: () => {
        this.add([...input.files]);
        input.value = '';
      },
    });
    return input;
  }

  #takeDrops() {
    const files = (e) => [...(e.dataTransfer?.types ?? [])].includes('Files');
    const over = (yes) => this.element.classList.toggle('over', yes);
    this.element.addEventListener('dragover', (e) => {
      if (!files(e)) return;
      e.preventDefault();
      e.stopPropagation(); // the conversation around it takes files, too
      over(true);
    });
    this.element.addEventListener('dragleave', (e) => this.element.contains(e.relatedTarget) || over(false));
    this.element.addEventListener('drop', (e) => {
      if (!files(e)) return;
      e.preventDefault();
      e.stopPropagation();
      over(false);
      this.element.closest('.dropping')?.classList.remove('dropping');
      this.add([...e.dataTransfer.files]);
    });
  }

  // Once it is gone from the page it listens no more.
  #listen() {
    if (!this.#photos) return;
    let seen = false;
    const listeners = [this.#photos, this.#options.draft].filter(Boolean).map((source) =>
      source.on(() => {
        seen ||= this.element.isConnected;
        if (this.element.isConnected || !seen) return this.update();
        for (const end of listeners) end();
      }),
    );
  }

  #have() {
    return this.#options.draft?.project?.images.length ?? this.#options.have ?? 0;
  }

  add(files) {
    if (files.length === 0) return;
    if (!this.#photos) return this.#options.begin(files);
    this.#photos.add(files, Math.max(0, (this.#options.most ?? 30) - this.#have()));
  }

  #goOn() {
    const n = this.#photos.added - this.#told;
    this.#told += n;
    this.update();
    this.#options.say(n === 1 ? 'I have added a photo.' : `I have added ${n} photos.`);
  }

  update() {
    const list = (this.#photos?.list ?? []).filter((p) => !this.#before.has(p));
    for (const [photo, row] of this.#shown) {
      if (list.includes(photo)) continue;
      row.element.remove();
      this.#shown.delete(photo);
    }
    for (const photo of list) {
      let row = this.#shown.get(photo);
      if (!row) {
        row = this.#row(photo);
        this.#shown.set(photo, row);
        this.#list.append(row.element);
      }
      row.update();
    }
    this.#list.hidden = list.length === 0;
    const have = this.#have();
    const refused = list.filter((p) => p.state === 'refused').length;
    const words = this.#photos?.busy
      ? `Adding photos: ${list.filter((p) => p.state === 'ready').length} of ${list.length - refused}`
      : have > 0
        ? `${have} ${have === 1 ? 'photo' : 'photos'} in the project${refused > 0 ? `, ${refused} not taken` : ''}`
        : '';
    if (this.#count.textContent !== words) this.#count.textContent = words;
    this.#done.hidden = !this.#options.say || !this.#photos || this.#photos.busy || this.#photos.added === this.#told;
  }

  #row(photo) {
    const bar = h('progress', { max: '1', 'aria-label': `Sending ${photo.name}` });
    const words = h('span', { class: 'upload-words' });
    const again = button('Try again', {
      class: 'small',
      icon: 'retry',
      hidden: true,
      onclick: () => this.#photos.retry(photo),
    });
    const gone = iconButton(`Remove ${photo.name}`, 'cross', {
      class: 'icon-button small',
      onclick: () => this.#photos.remove(photo),
    });
    const element = h(
      'li',
      { class: 'upload' },
      thumbnail(photo.blob),
      h('div', { class: 'upload-body' }, h('strong', {}, photo.name), bar, words),
      again,
      gone,
    );
    return {
      element,
      update: () => {
        element.dataset.state = photo.state;
        bar.hidden = photo.state !== 'sending';
        bar.value = photo.progress;
        const text = photo.state === 'waiting' ? `${said(photo)} · ${size(photo.size)}` : said(photo);
        if (words.textContent !== text) words.textContent = text;
        again.hidden = !photo.again || photo.state !== 'refused';
        gone.hidden = photo.state === 'ready' || photo.state === 'attaching';
      },
    };
  }
}

// thumbnail draws a file, small. The page's policy lets pictures come from the server
// alone, so the file is drawn, and not linked to; HEIC, which most browsers cannot read,
// has a sign instead.
function thumbnail(blob) {
  const box = h('span', { class: 'upload-picture', 'aria-hidden': 'true' }, icon('image'));
  // One after another: forty large photos at once would need gigabytes.
  if (blob)
    drawn = drawn
      .then(() => draw(blob))
      .then(
        (canvas) => box.replaceChildren(canvas),
        () => {},
      );
  return box;
}

let drawn = Promise.resolve();

async function draw(blob) {
  const picture = await createImageBitmap(blob, { resizeWidth: small * 2, resizeQuality: 'low' });
  const scale = small / Math.max(picture.width, picture.height);
  const canvas = h('canvas', {
    width: Math.max(1, Math.round(picture.width * scale)),
    height: Math.max(1, Math.round(picture.height * scale)),
  });
  canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas;
}
