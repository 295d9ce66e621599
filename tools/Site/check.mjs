// Checks the finished site: every link leads to a page and an anchor, nothing is loaded from another host, every error has its address.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

export function check(folder, base, addresses) {
  const files = readdirSync(folder, { recursive: true }).map(file => file.replaceAll('\\', '/'));
  const pages = files.filter(file => file.endsWith('.html'));
  const wrong = [], ids = new Map(), linksOf = new Map();
  for (const page of pages) {
    const html = readFileSync(join(folder, page), 'utf8');
    ids.set(page, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(match => text(match[1]))));
    linksOf.set(page, [...html.matchAll(/<(a|link|script|img|source|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"/g)].map(match => [match[1], text(match[2])]));
  }
  const all = new Set(files);
  let count = 0;
  for (const [page, links] of linksOf) {
    for (const [element, link] of links) {
      if (/^([a-z]+:)?\/\//i.test(link)) {
        if (element !== 'a')
          wrong.push(`${page}: <${element}> loads ${link} from elsewhere`);
        continue;
      }
      if (/^(data|mailto):/.test(link))
        continue;
      count++;
      const [path, hash = ''] = link.split('#');
      const target = fileOf(page, path.split('?')[0], base, all);
      if (target === null)
        wrong.push(`${page}: ${link} leads nowhere`);
      else if (hash && target.endsWith('.html') && page !== '404.html' && !ids.get(target).has(decodeURIComponent(hash)))
        wrong.push(`${page}: ${link}: that page has no anchor of this name`);
    }
  }
  for (const style of files.filter(file => file.endsWith('.css'))) {
    for (const [, address] of readFileSync(join(folder, style), 'utf8').matchAll(/url\(["']?((?:https?:)?\/\/[^)"']+)/g))
      wrong.push(`${style}: loads ${address} from elsewhere`);
  }
  for (const [address] of addresses.filter(([address]) => !existsSync(join(folder, 'errors', address, 'index.html'))))
    wrong.push(`errors/${address}/: the address of an error has no page`);
  return { pages: pages.length, links: count, wrong };
}

function fileOf(page, path, base, files) {
  if (path === '')
    return page;
  if (path.startsWith('/') && !path.startsWith(base))
    return null;
  const file = decodeURI(path.startsWith('/') ? path.slice(base.length) : posix.join(posix.dirname(page), path)).replace(/^\.\//, '');
  // A folder's page, or a page whose extension the server adds.
  return [file, posix.join(file, 'index.html'), `${file}.html`].find(name => files.has(name)) ?? null;
}

const text = html => html.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>');
