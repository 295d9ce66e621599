// Splits docs/errors.md into pages: one for each entry, at the permanent address errors/ID/ (docs/messages/addresses.txt).
import { slug } from './slug.mjs';

const byServer = { 'Error numbers of MySQL and MariaDB': 'mysql', 'SQLSTATEs of PostgreSQL': 'postgresql' };

/** Returns the pages by path, the chapters for the sidebar, and the target of each anchor of errors.md. */
export function splitErrors(markdown, addresses) {
  const pages = new Map(), anchors = new Map(), chapters = [];
  const [head, ...sections] = markdown.split(/^(?=## )/m);
  // Remove the list of chapters at the end of the introduction: the page has its own.
  let index = head.replace(/^- \[[^\]]+\]\(#[^)]+\)\n/gm, '').trimEnd() + '\n';
  for (const section of sections) {
    const [introduction, ...entries] = section.split(/^(?=### )/m);
    const title = /^## (.+)$/m.exec(introduction)[1];
    if (byServer[title]) {
      const address = `errors/${byServer[title]}/`;
      // Each row has the server's number as its anchor: Exception.HelpLink names it.
      const rows = introduction.replace(/^\| (\w+)(…?) \|/gm, (row, code, more) => code === 'Number' ? row : `| <a id="${code}"></a>${code}${more} |`);
      pages.set(`${address}index.md`, rows.replace(/^## /, '# '));
      anchors.set(slug(title), '/' + address);
      chapters.push({ title, items: [{ text: title, link: '/' + address }] });
      index += `\n## [${title}](/${address})\n`;
      continue;
    }
    const items = [];
    index += `\n${introduction.trimEnd()}\n\n`;
    anchors.set(slug(title), `/errors/#${slug(title)}`);
    for (const entry of entries) {
      const [line, id, text] = /^### <a id="([^"]+)"><\/a>(.+)$/m.exec(entry) ?? [];
      if (!id)
        throw new Error(`docs/errors.md has an entry without an address: ${entry.split('\n')[0]}`);
      const address = `/errors/${id}/`;
      const chapter = `<p class="chapter">One of the messages of <a href="../#${slug(title)}">${title}</a></p>`;
      pages.set(`errors/${id}/index.md`, `${entry.replace(line, `# ${text}`).trimEnd()}\n\n${chapter}\n`);
      anchors.set(id, address).set(slug(text), address);
      items.push({ text, link: address });
      index += `- [${text}](${address})\n`;
    }
    chapters.push({ title, items });
  }
  pages.set('errors/index.md', index);
  for (const [old, now] of addresses) {
    if (old === now)
      continue;
    anchors.set(old, `/errors/${old}/`);
    const head = `search: false\nhead:\n  - [meta, { http-equiv: refresh, content: "0; url=../${now}/" }]`;
    pages.set(`errors/${old}/index.md`, `---\n${head}\n---\n# Moved\n\nThis page has moved [here](/errors/${now}/).\n`);
  }
  return { pages, anchors, chapters };
}

/** Returns pairs of an old address and the current one. */
export const readAddresses = text =>
  text.split('\n').filter(line => line && !line.startsWith('#')).map(line => line.split(' -> ')).map(words => [words[0], words.at(-1)]);
