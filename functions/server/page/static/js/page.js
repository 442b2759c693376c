// A project's page as it is shown and edited: plain functions, no view.

export const limits = {
  title: 120,
  description: 2000,
  seoTitle: 70,
  seoDescription: 160,
  alt: 200,
  list: 30,
  entry: 60,
  blockText: 3000,
  blocks: 40,
  images: 30,
};

export const stages = [
  ['', 'No stage'],
  ['before', 'Before'],
  ['during', 'During'],
  ['after', 'After'],
];

export const details = [
  ['none', 'Not at all'],
  ['country', 'Country only'],
  ['region', 'Region'],
  ['city', 'City'],
  ['district', 'District'],
];

export const blockNames = {
  heading: 'Heading',
  paragraph: 'Paragraph',
  list: 'List',
  quote: 'Quote',
  gallery: 'Photos',
  comparison: 'Before and after',
};

// pageOf is a project as a part of the kind page shows it.
export function pageOf(p) {
  return {
    project: p.code,
    version: p.version,
    status: p.status,
    url: p.url ?? '',
    title: p.title ?? '',
    type: p.type ?? '',
    place: shownPlace(p.place, p.locationDetail),
    description: p.description ?? '',
    seoTitle: p.seo?.title ?? '',
    seoDescription: p.seo?.description ?? '',
    tags: p.tags ?? [],
    materials: p.materials ?? [],
    techniques: p.techniques ?? [],
    blocks: p.descriptionBlocks ?? [],
    photos: p.images ?? [],
  };
}

// shownPlace is what the page says of a place: two parts at most, the finest that may be
// shown first, and never a street.
export function shownPlace(place, detail) {
  const { district, city, region, country } = place ?? {};
  const parts = { none: [], country: [country], region: [region, country], district: [district, city, region] }[
    detail
  ] ?? [city, region, country];
  return parts.filter(Boolean).slice(0, 2).join(', ');
}

// heroOf is the photo at the top: the one that was chosen, else the first that is ready.
export function heroOf(photos = []) {
  const ready = photos.filter((p) => p.state === 'ready');
  return ready.find((p) => p.hero) ?? ready[0] ?? null;
}

// rest are the ready photos that neither stand at the top nor in a block.
export function rest({ photos = [], blocks = [] }) {
  const placed = new Set(blocks.filter(pictured).flatMap((b) => b.items ?? []));
  const hero = heroOf(photos);
  return photos.filter((p) => p.state === 'ready' && p !== hero && !placed.has(p.id));
}

export const pictured = (block) => block.kind === 'gallery' || block.kind === 'comparison';

// moved is a list with one entry at another place.
export function moved(list, from, to) {
  if (from === to || from < 0 || to < 0 || from >= list.length || to >= list.length) return list;
  const out = [...list];
  out.splice(to, 0, ...out.splice(from, 1));
  return out;
}

// added is a list with another entry at its end, unless it is there in other letters.
// The entry may hold several, parted by commas or lines.
export function added(list, text) {
  const out = [...list];
  for (const entry of text
    .split(/[,;\n]/)
    .map((s) => s.trim().replace(/\s+/g, ' ').slice(0, limits.entry))
    .filter(Boolean)) {
    if (out.length < limits.list && !out.some((e) => e.toLowerCase() === entry.toLowerCase())) out.push(entry);
  }
  return out;
}

// blankBlock is a new piece of a page. photos are those that a comparison begins with.
export function blankBlock(kind, photos = []) {
  const ready = photos.filter((p) => p.state === 'ready');
  switch (kind) {
    case 'list':
      return { kind, items: [] };
    case 'gallery':
      return { kind, items: ready.slice(0, 1).map((p) => p.id) };
    case 'comparison': {
      const of = (stage) => ready.find((p) => p.stage === stage);
      const before = of('before') ?? ready[0];
      const after = of('after') ?? ready.find((p) => p !== before);
      return { kind, items: [before?.id, after?.id].filter(Boolean) };
    }
    default:
      return { kind, text: '' };
  }
}

// whole are the blocks that say something. Others are not sent: they are being written.
export function whole(blocks) {
  return blocks
    .map((b) => {
      if (b.kind === 'comparison')
        return b.items?.length === 2 && b.items.every(Boolean) && b.items[0] !== b.items[1] ? b : null;
      if (b.kind === 'list') return clean(b, (b.items ?? []).map((s) => s.trim()).filter(Boolean));
      if (b.kind === 'gallery') return clean(b, b.items ?? []);
      return (b.text ?? '').trim() === '' ? null : { ...b, text: b.text.trim() };
    })
    .filter(Boolean);
}

function clean(block, items) {
  return items.length === 0 ? null : { ...block, items };
}

const phases = {
  talking: 'Tell what was done',
  photos: 'Photos are missing',
  drafting: 'The texts are missing',
  review: 'Ready to look over',
  published: 'Published',
};

// standing says in words how far a project of the list is.
export function standing({ status, phase }) {
  if (status === 'archived') return 'Archived';
  if (status === 'published') return 'Published';
  return phases[phase] ?? 'Draft';
}

// publicLink is the whole address of a published page, or '' for none. Only https
// addresses and those of this server are linked to.
export function publicLink(url, base) {
  if (!url) return '';
  try {
    const target = new URL(url, base);
    return target.protocol === 'https:' || target.origin === new URL(base).origin ? target.href : '';
  } catch {
    return '';
  }
}

// lastPage keeps only the latest page among the parts of an answer, and only where one of
// them asked to be shown: the others told a panel what had changed.
export function lastPage(parts) {
  const pages = parts.filter((p) => p.kind === 'page');
  if (pages.length === 0) return parts;
  const shown = pages.some((p) => p.data.open || p.data.edit) ? pages.at(-1) : null;
  return parts.filter((p) => p.kind !== 'page' || p === shown);
}
