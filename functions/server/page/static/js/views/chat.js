import { h, icon, button, iconButton } from '../dom.js';
import { AnswerView } from './answer.js';
import { Composer } from './composer.js';
import { filesOf } from './attach.js';
import { Opening } from './opening.js';
import { DropZone } from './dropzone.js';
import { ProjectBar } from './projectbar.js';
import { photoType } from '../photos.js';

const near = 64; // pixels from the end that still count as "at the end"

// ChatView shows one conversation. Call close before letting go of it; the
// conversation itself goes on.
export class ChatView {
  #chat;
  assistant;
  #options;
  #views = new Map(); // item → {element, answer?}
  #list = h('div', { class: 'messages' });
  #scroller;
  #pinned; // the question of an answer that is longer than the window
  #question = null;
  #latest;
  #live;
  #composer;
  #opening = null; // what the assistant shows before anything was said
  #frame = 0;
  #changed = new Set();
  #following = true;
  #spoken = new Set();
  #editing = null; // the message whose new words are in the composer
  #bar = null; // of the project that the conversation is about
  #drop = null; // where photos are dropped before anything was said
  #notice = h('p', { class: 'notice', hidden: true });
  #earlier = button('Show earlier messages', { class: 'small earlier', hidden: true, onclick: () => this.#before() });

  // options: api, now(), storeFull(), openFile(id), openTool(name, arguments, instead), saveTable(table,
  // format), openPanel(title, element), run(tool, arguments), act(tool, arguments), look(tool), which
  // returns the parts of a tool that only looks something up, transcribe(blob, signal), failed(error) for what the page has to
  // tell, earlier(chat) for what was said before, and asked(answer), which shows what the model was sent, in
  // development only. cards is where the forms of cards come from, file(path, name) saves a
  // file of an endpoint, travellers is that of partView, and planning has its plans and shares; each may be missing. projects, of an assistant that has some, is that of partView, with
  // begin(files), which makes a project of photos.
  constructor(chat, assistant, options) {
    this.#chat = chat;
    this.assistant = assistant;
    this.#options = options;
    this.#latest = button('Latest', { icon: 'down', class: 'latest', hidden: true, onclick: () => this.#toEnd(true) });
    this.#live = h('div', { class: 'visually-hidden', 'aria-live': 'polite' });
    this.#scroller = h('div', { class: 'scroller' }, this.#list);
    this.#composer = new Composer({
      api: options.api,
      placeholder: `Ask ${assistant.title || 'a question'}`,
      send: (text, how) => this.#send(text, how),
      transcribe: options.transcribe ?? null,
      locate: options.locate ?? false,
      failed: options.failed,
      stop: () => chat.stop(),
      drop: () => (this.#editing = null),
    });
    this.#pinned = h('button', {
      type: 'button',
      class: 'pinned',
      hidden: true,
      onclick: () => this.#views.get(this.#question)?.element.scrollIntoView({ block: 'start' }),
    });
    if (options.projects) this.#bar = new ProjectBar(options.projects);
    this.element = h(
      'main',
      { class: 'chat', id: 'chat', tabindex: '-1' },
      this.#bar?.element ?? null,
      this.#pinned,
      this.#scroller,
      this.#live,
      h(
        'div',
        { class: 'dock' },
        this.#latest,
        this.#notice,
        this.#composer.element,
        h('p', { class: 'fineprint' }, 'Answers come from your live data. Important changes wait for your approval.'),
      ),
    );
    this.#takeDrops();
    this.#scroller.addEventListener('scroll', () => this.#scrolled(), { passive: true });
    // The keyboard of a phone and late fonts change heights as well.
    this.observer = new ResizeObserver(() => this.#following && this.#toEnd());
    this.observer.observe(this.#scroller);
    this.observer.observe(this.#list);
    for (const item of chat.items) if (item.kind === 'answer') this.#spoken.add(item.turn);
    chat.onChange = (answer) => this.#change(answer);
    this.#draw();
  }

  focus() {
    this.#composer.focus();
  }

  // refresh shows what stands at the beginning as it is now.
  refresh() {
    if (this.#chat.items.length === 0) this.#opening?.refresh();
  }

  // update shows what is known of the project by now.
  update() {
    this.#bar?.show(this.#chat.code);
  }

  close() {
    this.#bar?.close();
    this.#chat.onChange = () => {};
    this.#composer.close();
    this.observer.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  // Files may be dropped anywhere on the conversation.
  #takeDrops() {
    const files = (e) => [...(e.dataTransfer?.types ?? [])].includes('Files');
    const over = (yes) => this.element.classList.toggle('dropping', yes);
    this.element.addEventListener('dragover', (e) => files(e) && (e.preventDefault(), over(true)));
    this.element.addEventListener('dragleave', (e) => this.element.contains(e.relatedTarget) || over(false));
    this.element.addEventListener('drop', (e) => {
      if (!files(e)) return;
      e.preventDefault();
      over(false);
      this.#take([...e.dataTransfer.files]);
    });
  }

  // take has photos for the project where the assistant has projects, and files for the
  // message.
  #take(files) {
    const { projects } = this.#options;
    const photos = projects?.may ? files.filter(photoType) : [];
    const others = files.filter((f) => !photos.includes(f));
    if (photos.length > 0) projects.add(this.#chat.code, photos);
    if (others.length > 0) this.#composer.attach(others);
  }

  // edit takes a message back into the composer. Nothing is lost before the
  // new words are sent.
  #edit(item) {
    if (this.#chat.busy) return;
    this.#editing = item;
    this.#composer.fill(item.message.content, item.message);
  }

  #send(text, how = {}) {
    const said = this.#chat.items.includes(this.#editing) ? this.#editing : null;
    if (!(said ? this.#chat.rewrite(said, text, how) : this.#chat.send(text, how))) return false;
    this.#editing = null;
    this.#toEnd();
    return true;
  }

  // Many events may come in one frame; they are shown together.
  #change(answer) {
    if (answer) this.#changed.add(answer);
    else this.#changed.add(null);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw() {
    const { items, busy, stopping } = this.#chat;
    const all = this.#views.size === 0 || this.#changed.has(null) || items.length !== this.#views.size;
    for (const [item, view] of this.#views) {
      if (items.includes(item) && view.quiet === Boolean(item.quiet)) continue;
      view.element.remove();
      this.#views.delete(item);
    }
    this.#list.classList.toggle('empty', items.length === 0);
    if (items.length === 0) this.#list.replaceChildren(this.#welcome());
    else this.#list.querySelector('.welcome')?.remove();
    this.#earlier.hidden = this.#chat.before === null || items.length === 0;
    if (!this.#earlier.hidden && !this.#earlier.parentNode) this.#list.prepend(this.#earlier);
    else if (this.#earlier.hidden) this.#earlier.remove();
    let next = this.#earlier.parentNode ? this.#earlier.nextElementSibling : this.#list.firstElementChild;
    for (const item of items) {
      let view = this.#views.get(item);
      if (!view) {
        view = Object.assign(this.#view(item), { quiet: Boolean(item.quiet) });
        this.#views.set(item, view);
      }
      if (view.element !== next) this.#list.insertBefore(view.element, next);
      else next = next.nextElementSibling;
      if (view.update && (all || this.#changed.has(item))) view.update({ last: items.at(-1) === item, busy });
    }
    this.#changed.clear();
    this.update();
    this.#composer.update({ busy, stopping });
    this.#show(items.at(-1));
    this.#speak(items.at(-1));
    const full = this.#options.storeFull();
    this.#notice.hidden = !full;
    if (full) this.#notice.textContent = 'This chat has become too long to survive a reload of the page.';
    if (this.#following) this.#toEnd();
    else this.#scrolled();
  }

  #view(item) {
    if (item.kind === 'summary') return { element: summedUp(item.message.content) };
    if (item.quiet) return quiet(item);
    if (item.kind === 'user') {
      return {
        element: h(
          'div',
          { class: 'said' },
          h(
            'div',
            { class: 'said-words' },
            item.by ? h('span', { class: 'said-by' }, item.by) : null,
            h('p', {}, item.message.content),
            item.message.attachments?.length > 0 ? filesOf(item.message.attachments, this.#options.openFile) : null,
          ),
          item.message.source === 'speech'
            ? h(
                'span',
                { class: 'spoken', title: 'Spoken' },
                icon('mic'),
                h('span', { class: 'visually-hidden' }, 'spoken'),
              )
            : null,
          item.past || item.by
            ? null
            : iconButton('Edit and send again', 'pencil', {
                class: 'icon-button small edit',
                onclick: () => this.#edit(item),
              }),
        ),
      };
    }
    const go = (act) => (answer) => act(answer) && this.#toEnd();
    return new AnswerView(item, {
      name: this.assistant.title,
      now: this.#options.now,
      decide: (id, decision, phrase) => {
        if (!this.#chat.decide(id, decision, phrase)) return;
        this.#toEnd();
        this.#composer.focus();
      },
      retry: go((answer) => this.#chat.retry(answer)),
      again: go((answer) => this.#chat.again(answer)),
      openTool: this.#options.openTool,
      correct: (proposal, values) =>
        this.#options.openTool(proposal.tool, values, {
          instead: proposal.id,
          corrected: () => this.#chat.settled(proposal.id, 'corrected'),
        }),
      saveTable: this.#options.saveTable,
      openPanel: this.#options.openPanel,
      sign: this.#options.sign,
      projects: this.#options.projects ?? null,
      run: this.#options.run,
      act: this.#options.act,
      remake: this.#options.cards
        ? {
            schema: (tool) => this.#options.cards.schema(tool),
            run: (part, values, tool) => this.#rerun(item, part, values, tool),
          }
        : null,
      file: this.#options.file ?? null,
      travellers: this.#options.travellers ?? null,
      planning: this.#options.planning ?? null,
      may: this.assistant.mayChange !== false,
      rate: (answer, said) => this.#chat.rate(answer, said),
      asked: this.#options.asked ?? null,
      say: (text) => this.#say(text),
      answer: (text) => this.#chat.fillIn(text) && this.#toEnd(),
      regenerate: go((answer) => this.#chat.regenerate(answer)),
      mayRegenerate: (answer) => this.#chat.mayRegenerate(answer),
    });
  }

  async #rerun(item, part, values, tool) {
    await this.#options.cards.reads(tool);
    return this.#chat.rerun(item, part, values, tool);
  }

  // say sends words. Those that end in a space are the beginning of a sentence, which the
  // person completes.
  #say(words) {
    if (words.endsWith(' ') && words.trim()) return this.#composer.begin(words);
    return this.#send(words);
  }

  #welcome() {
    const { title, greeting, suggestions = [] } = this.assistant;
    return h(
      'div',
      { class: 'welcome' },
      h('span', { class: 'welcome-mark' }, icon('bell')),
      h('h2', {}, title),
      greeting ? h('p', {}, greeting) : null,
      this.#open(),
      this.#photos(),
      suggestions.length > 0
        ? h(
            'ul',
            { class: 'chips', 'aria-label': 'Suggestions' },
            suggestions.map((s) =>
              h(
                'li',
                {},
                h(
                  'button',
                  { type: 'button', class: 'chip', onclick: () => this.#send(s) && this.focus() },
                  h('span', {}, s),
                  icon('arrow'),
                ),
              ),
            ),
          )
        : null,
    );
  }

  // photos is where photos are dropped: with them a project may begin, too.
  #photos() {
    const { projects } = this.#options;
    if (!projects?.may) return null;
    const { code } = this.#chat;
    if (this.#drop?.code !== code) {
      this.#drop = {
        code,
        zone: new DropZone({
          title: 'Drop photos of the job here',
          photos: code ? projects.photos(code) : null,
          draft: code ? projects.draft(code) : null,
          say: (words) => this.#send(words),
          begin: (files) => projects.add('', files),
        }),
      };
    }
    return h('div', { class: 'welcome-photos' }, this.#drop.zone.element);
  }

  #open() {
    const { opening } = this.assistant;
    if (!opening || !this.#options.look) return null;
    const { openPanel, run, act } = this.#options;
    this.#opening ??= new Opening(() => this.#options.look(opening), {
      open: openPanel,
      run,
      act,
      say: (text) => this.#send(text),
    });
    return this.#opening.element;
  }

  // What was said earlier comes in above; what is being read stays where it is.
  async #before() {
    this.#earlier.disabled = true;
    const { scrollHeight } = this.#scroller;
    this.#following = false;
    try {
      const { items, before } = await this.#options.earlier(this.#chat);
      for (const item of items) if (item.kind === 'answer') this.#spoken.add(item.turn);
      this.#chat.prepend(items, before);
      requestAnimationFrame(() => (this.#scroller.scrollTop += this.#scroller.scrollHeight - scrollHeight));
    } catch (error) {
      this.#options.failed(error);
    }
    this.#earlier.disabled = false;
  }

  // show brings the beginning of cards into sight that have just come and are longer than
  // the window: what is pointed out stands first.
  #show(item) {
    if (
      !this.#following ||
      item?.kind !== 'answer' ||
      item.quiet ||
      item.state !== 'done' ||
      this.#spoken.has(item.turn)
    )
      return;
    const { element } = this.#views.get(item);
    if (!element.querySelector('.travel') || element.clientHeight < this.#scroller.clientHeight) return;
    this.#following = false;
    element.scrollIntoView({ block: 'start', behavior: 'instant' });
  }

  // A screen reader hears a finished answer once, not each piece of it.
  #speak(item) {
    if (item?.kind !== 'answer' || item.state === 'running' || this.#spoken.has(item.turn)) return;
    this.#spoken.add(item.turn);
    this.#live.textContent = item.state === 'done' ? this.#views.get(item).words() : '';
  }

  #toEnd(smooth = false) {
    this.#following = true;
    this.#latest.hidden = true;
    if (this.#chat.items.length === 0) return; // what stands at the beginning is read from its top
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#scroller.scrollTo({ top: this.#scroller.scrollHeight, behavior: smooth && !calm ? 'smooth' : 'instant' });
    this.#latest.hidden = true;
    this.#pin();
  }

  #scrolled() {
    const s = this.#scroller;
    if (this.#chat.items.length === 0) return;
    this.#following = s.scrollHeight - s.scrollTop - s.clientHeight < near;
    this.#latest.hidden = this.#following;
    this.#pin();
  }

  // pin keeps the question in sight whose answer is being read.
  #pin() {
    const { top } = this.#scroller.getBoundingClientRect();
    const box = (item) => this.#views.get(item)?.element.getBoundingClientRect();
    const items = this.#chat.items.filter((i) => !i.quiet);
    const at = items.findLastIndex((i) => box(i)?.top <= top);
    const said = items[at]?.kind === 'answer' ? items.slice(0, at).findLast((i) => i.kind === 'user') : items[at];
    const away = said?.kind === 'user' && box(said)?.bottom <= top && box(items[at]).bottom > top + near;
    if (this.#question === (away ? said : null)) return;
    this.#question = away ? said : null;
    this.#pinned.hidden = !away;
    if (away)
      this.#pinned.replaceChildren(
        h('span', { class: 'visually-hidden' }, 'Go to the question: '),
        h('span', {}, said.message.content),
      );
  }
}

// quiet is a turn that changed a card above: a line says what was changed.
function quiet(item) {
  const words = item.kind === 'user' ? item.message.content : '';
  return {
    element: words ? h('p', { class: 'card-changed' }, icon('retry'), h('span', {}, words)) : h('p', { hidden: true }),
    words: () => 'The card shows what was found.',
  };
}

// summedUp shows the server's summary of what was said before.
function summedUp(text) {
  return h(
    'details',
    { class: 'summed-up' },
    h('summary', {}, icon('info'), 'What was said before, in short'),
    h('p', {}, text),
  );
}
