// Turns links between files of the repository into links between pages. Runs inside vitepress, for each page.
import { posix } from 'node:path';

export function repositoryLinks(md, site) {
  md.core.ruler.push('repository-links', state => {
    // Generated pages already have links of the site.
    const source = site.sources[state.env.relativePath];
    if (!source)
      return;
    for (const block of state.tokens) {
      const open = [];
      for (const token of block.children ?? []) {
        if (token.type === 'link_open') {
          open.push(token);
          rewrite(token, source, site);
        } else if (token.type === 'link_close') {
          const start = open.pop();
          if (start?.tag === 'span')
            Object.assign(token, { type: 'span_close', tag: 'span' });
        }
      }
    }
  });
}

function rewrite(token, source, site) {
  const href = token.attrGet('href');
  // Anchors of headings, links to other hosts, and links of the site stay.
  if (/^([a-z]+:|\/)/i.test(href) || token.attrGet('class') === 'header-anchor' || (href.startsWith('#') && source !== 'docs/errors.md'))
    return;
  const [path, hash = ''] = href.split('#');
  const file = path === '' ? source : posix.join(posix.dirname(source), decodeURI(path)).replace(/\/$/, '');
  const anchor = decodeURIComponent(hash);
  const page = site.pages[file];
  if (!page) {
    if (site.repository) {
      token.attrSet('href', `${site.repository}/blob/HEAD/${file}${hash && '#' + hash}`);
      return;
    }
    // The repository has no public address yet: the text stays, with the name of the file.
    Object.assign(token, { type: 'span_open', tag: 'span', attrs: [['class', 'in-repository'], ['title', `${file} in the repository`]] });
  } else if (file === 'docs/errors.md' && anchor) {
    if (!site.errors[anchor])
      throw new Error(`${source}: docs/errors.md has no anchor '${anchor}'`);
    token.attrSet('href', site.errors[anchor]);
  } else {
    token.attrSet('href', page + (hash && '#' + hash));
  }
}
