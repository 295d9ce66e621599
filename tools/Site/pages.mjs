// Maps files of the repository to pages of the site, and builds the sidebar.
import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

// The pages that are not in docs/.
const project = [
  ['CHANGELOG.md', 'release-notes.md', 'Release notes'],
  ['ARCHITECTURE.md', 'project/architecture.md', 'Architecture'],
  ['CONTRIBUTING.md', 'project/contributing.md', 'Contributing'],
  ['SECURITY.md', 'project/security-rules.md', 'Security rules'],
];

/** The page of each file; a folder is its list. Without errors.md, which errors.mjs splits into many pages. */
export function pagesOf(root) {
  const pages = new Map(project.map(([file, page]) => [file, page]));
  for (const file of readdirSync(join(root, 'docs'), { recursive: true })) {
    if (file.endsWith('.md') && file !== 'errors.md')
      pages.set(posix.join('docs', file), file === 'README.md' ? 'documentation.md' : file);
  }
  return pages;
}

/** Links whose target is not a file of the site. */
export const places = {
  'README.md': '/',
  'docs': '/documentation.html',
  'docs/decisions': '/decisions/',
  'docs/errors.md': '/errors/',
};

export const addressOf = page => '/' + page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '.html');

export const titleOf = (root, file) => /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8'))[1];

/** The sidebar of the guide: the tables of docs/README.md, one group for each of its headings. */
function guide(root, pages) {
  const groups = [];
  for (const line of readFileSync(join(root, 'docs', 'README.md'), 'utf8').split('\n')) {
    const heading = /^## (.+)$/.exec(line);
    if (heading)
      groups.push({ text: heading[1], collapsed: false, items: [] });
    const link = line.startsWith('|') && /\[(.+?)\]\((.+?)\)/.exec(line);
    if (!link)
      continue;
    const file = posix.join('docs', link[2]);
    const address = file.startsWith('docs/decisions/') ? '/decisions/' : places[file] ?? (pages.has(file) && addressOf(pages.get(file)));
    if (!address)
      throw new Error(`docs/README.md lists ${link[2]}, which is not a page of the site`);
    groups.at(-1).items.push({ text: link[1], link: address });
  }
  return groups.filter(group => group.items.length > 0);
}

export function decisionsOf(root) {
  return readdirSync(join(root, 'docs', 'decisions')).filter(file => file.endsWith('.md')).sort().map(file => {
    // The title without its number: "# 0007: ".
    const title = titleOf(root, `docs/decisions/${file}`).replace(/^\d+\s*[.:·]?\s*/, '');
    return { number: file.slice(0, 4), text: title, link: `/decisions/${file.replace(/\.md$/, '.html')}` };
  });
}

export function sidebarOf(root, pages, errors, api) {
  const back = { text: '← Documentation', link: '/documentation.html' };
  const spaces = api.map(space => ({
    text: space.name, collapsed: true, items: space.types.map(type => ({ text: type.name, link: `/api/${type.page}.html` })),
  }));
  const decisions = decisionsOf(root).map(decision => ({ text: `${decision.number} ${decision.text}`, link: decision.link }));
  return {
    '/errors/': [
      back, { text: 'Error messages', link: '/errors/' }, ...errors.map(chapter => ({ text: chapter.title, collapsed: true, items: chapter.items })),
    ],
    '/api/': [back, { text: 'API reference', link: '/api/' }, ...spaces],
    '/decisions/': [back, { text: 'Decisions', link: '/decisions/', items: decisions }],
    '/': [
      ...guide(root, pages),
      { text: 'Reference', collapsed: false, items: [{ text: 'API reference', link: '/api/' }, { text: 'All decisions', link: '/decisions/' }] },
      { text: 'Project', collapsed: false, items: project.map(([, page, text]) => ({ text, link: addressOf(page) })) },
    ],
  };
}
