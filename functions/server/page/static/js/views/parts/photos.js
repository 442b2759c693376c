import { DropZone } from '../dropzone.js';

// show shows a place to drop photos of a project.
export function show(part, { projects, say }) {
  if (!projects?.may) throw new Error('Photos cannot be added here.');
  const { project, title = '', wanted = [], have = 0, most = 30 } = part.data;
  return new DropZone({
    title,
    wanted,
    have,
    most,
    photos: projects.photos(project),
    draft: projects.draft(project),
    say,
  }).element;
}
