// Builds the site; ../../site calls it. All its output is in artifacts/site.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './check.mjs';
import { readAddresses, splitErrors } from './errors.mjs';
import { addressOf, decisionsOf, pagesOf, places, sidebarOf } from './pages.mjs';

const own = dirname(fileURLToPath(import.meta.url)), root = resolve(own, '../..'), work = join(root, 'artifacts/site');
const source = join(work, 'source');
const [output, base, repository] = process.argv.slice(2);
const read = path => readFileSync(join(root, path), 'utf8');

stage();
console.log('Building the pages ...');
const program = join(work, 'node_modules/vitepress/bin/vitepress.js');
const vitepress = spawnSync(process.execPath, [program, 'build', source], { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28 });
writeFileSync(join(work, 'vitepress.log'), vitepress.stdout + vitepress.stderr);
if (vitepress.status !== 0) {
  console.error(vitepress.stdout + vitepress.stderr);
  console.error('site: vitepress failed, for the reason given above.');
  process.exit(1);
}
const { pages, links, wrong } = check(output, base, addresses());
if (wrong.length > 0) {
  console.error(wrong.slice(0, 100).join('\n'));
  console.error(`site: ${wrong.length} links, anchors or files are wrong; see above.`);
  process.exit(1);
}
console.log(`${pages} pages, ${links} links inside the site: each leads to a page and an anchor. The site is in ${output}`);

function addresses() {
  return readAddresses(read('docs/messages/addresses.txt'));
}

function stage() {
  rmSync(source, { recursive: true, force: true });
  const sources = {}, errors = splitErrors(read('docs/errors.md'), addresses()), pages = pagesOf(root);
  for (const [file, page] of pages) {
    write(page, read(file));
    sources[page] = file;
  }
  for (const [page, text] of errors.pages) {
    write(page, text);
    sources[page] = 'docs/errors.md';
  }
  cpSync(join(work, 'api'), join(source, 'api'), { recursive: true });
  const decisions = decisionsOf(root).map(one => `| ${one.number} | [${one.text}](${one.link}) |\n`).join('');
  write('decisions/index.md', '# Decisions\n\nWhy things are as they are: what was believed, what was measured, and what is done now.\n\n'
    + `| Number | Decision |\n|---|---|\n${decisions}`);
  write('index.md', home(read('README.md')));
  for (const file of ['config.mjs', 'links.mjs', 'theme'])
    cpSync(join(own, 'vitepress', file), join(source, '.vitepress', file), { recursive: true });
  cpSync(join(own, 'slug.mjs'), join(source, '.vitepress/slug.mjs'));
  mkdirSync(join(source, 'public'));
  cpSync(join(root, 'eng/icon.svg'), join(source, 'public/icon.svg'));
  write('.vitepress/site.json', JSON.stringify({
    base,
    output,
    repository,
    version: /<VersionPrefix>(.+?)</.exec(read('Directory.Build.props'))[1],
    sources,
    pages: { ...places, ...Object.fromEntries([...pages].map(([file, page]) => [file, addressOf(page)])) },
    errors: Object.fromEntries(errors.anchors),
    sidebar: sidebarOf(root, pages, errors.chapters, JSON.parse(readFileSync(join(work, 'api/types.json'), 'utf8'))),
  }));
}

function write(page, text) {
  const path = join(source, page);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Returns the first page: home.md with the first sample of the README and, if the README has one, its short table of figures. */
function home(readme) {
  const sample = /^```csharp\n[\s\S]*?^```$/m.exec(readme)?.[0] ?? '';
  const table = [...readme.matchAll(/^\|.*Slipstream.*\|\n\|[-:| ]+\|\n(?:\|.*\|\n){1,8}(?!\|)/gm)][0]?.[0];
  const figures = table ? `## Measured\n\n${table}\n[All figures, and how they are measured](/performance.html)` : '';
  return readFileSync(join(own, 'home.md'), 'utf8').replace('<!-- sample -->', () => sample).replace('<!-- figures -->', () => figures);
}
