import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { repositoryLinks } from './links.mjs';
import { slug } from './slug.mjs';

// The data that build.mjs writes.
const site = JSON.parse(readFileSync(new URL('./site.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: 'Slipstream',
  description: 'Fully managed ADO.NET providers for MySQL, MariaDB and PostgreSQL',
  lang: 'en',
  base: site.base,
  outDir: site.output,
  cacheDir: '../cache',
  // One file with the addresses of all pages, instead of a copy in each page.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: `${site.base}icon.svg`, type: 'image/svg+xml' }]],
  markdown: { anchor: { slugify: slug }, headers: { slugify: slug }, config: md => repositoryLinks(md, site) },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Get started', link: '/get-started' },
      { text: 'Documentation', link: '/documentation' },
      { text: 'API', link: '/api/', activeMatch: '/api/' },
      { text: 'Errors', link: '/errors/', activeMatch: '/errors/' },
      { text: site.version, link: '/release-notes' },
    ],
    sidebar: site.sidebar,
    outline: [2, 3],
    notFound: {
      title: 'This page does not exist',
      quote: 'The address may be old or mistyped. The search and the index of the documentation know every page.',
      linkText: 'Go to the first page',
      linkLabel: 'Go to the first page',
    },
    footer: { message: 'MIT licence' },
    search: {
      provider: 'local',
      options: {
        detailedView: true,
        miniSearch: {
          searchOptions: {
            // Rank a page of the guide before members with the same words.
            boostDocument: id => (id.includes('/api/Slipstream.Core') ? 0.2 : id.includes('/api/') ? 0.6 : 1),
          },
        },
      },
    },
  },
});
