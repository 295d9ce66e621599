// Opens the finished site in a headless browser and uses it as a reader would; ./site --check calls it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { serve } from './serve.mjs';

const [folder, base, work] = process.argv.slice(2);
const pictures = join(work, 'pictures');
const { chromium } = createRequire(join(work, 'package.json'))('playwright-core');
// A busy machine answers slowly. A page that never answers still fails.
const patience = 120_000;

rmSync(pictures, { recursive: true, force: true });
mkdirSync(pictures, { recursive: true });
const server = await serve(folder, base, 0);
const origin = `http://localhost:${server.address().port}`;
const find = name => execFileSync('sh', ['-c', `command -v ${name} || true`], { encoding: 'utf8' }).trim();
const program = find('chromium') || find('google-chrome');
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'], timeout: patience });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
context.setDefaultTimeout(patience);
const page = await context.newPage();
const wrong = [];
page.on('pageerror', error => wrong.push(`${page.url()}: ${error.message}`));
page.on('console', message => message.type() === 'error' && !page.url().includes('/no-such-page') && wrong.push(`${page.url()}: ${message.text()}`));
page.on('request', request => !request.url().startsWith(origin) && !request.url().startsWith('data:') && wrong.push(`${page.url()} asks for ${request.url()}`));

const open = path => page.goto(origin + base + path, { waitUntil: 'networkidle' });
const picture = name => page.screenshot({ path: join(pictures, name + '.png') });
let passed = 0;
async function it(name, look) {
  try {
    await look();
    passed++;
  } catch (error) {
    wrong.push(`${name}: ${error.message.split('\n')[0]}`);
    await picture('failed-' + name.replaceAll(/\W+/g, '-')).catch(() => {});
  }
}
function expect(condition, what) {
  if (!condition)
    throw new Error(what);
}

for (const [path, name, title] of [
  ['', 'home', 'Slipstream'],
  ['get-started.html', 'get-started', 'Get started'],
  ['options.html', 'options', 'options'],
  ['errors/', 'errors', 'Error messages'],
  ['errors/connection-refused/', 'error', ''],
  ['errors/mysql/#1205', 'error-numbers', 'MySQL'],
  ['api/', 'api', 'API reference'],
  ['api/Slipstream.MySql.MySqlCommand.html', 'api-class', 'MySqlCommand'],
  ['api/Slipstream.MySql.MySqlSslMode.html', 'api-enum', 'MySqlSslMode'],
  ['decisions/', 'decisions', 'Decisions'],
  ['project/architecture.html', 'architecture', 'Architecture'],
  ['release-notes.html', 'release-notes', ''],
]) {
  await it(`page ${name}`, async () => {
    const response = await open(path);
    expect(response.status() === 200, `status ${response.status()}`);
    expect((await page.locator('h1').first().innerText()).includes(title), `the heading is not '${title}'`);
    await picture(name);
  });
}

await it('sidebar', async () => {
  await open('documentation.html');
  await page.locator('.VPSidebar a', { hasText: 'Bulk copy' }).click();
  await page.waitForURL(/bulk-copy/);
  // The address changes before the sidebar does.
  await page.locator('.VPSidebar .is-active a', { hasText: 'Bulk copy' }).first().waitFor({ state: 'attached' });
});

await it('link inside a page', async () => {
  await open('troubleshooting.html');
  await page.locator('.vp-doc a[href*="/errors/"]').first().click();
  await page.waitForURL(/\/errors\//);
  await page.locator('.vp-doc h1').waitFor();
});

await it('search', async () => {
  await open('documentation.html');
  await page.locator('#local-search button, .VPNavBarSearch button').first().click();
  await page.locator('.VPLocalSearchBox input').fill('the pool is exhausted');
  await page.locator('.VPLocalSearchBox .results .result').first().waitFor();
  await picture('search');
  const results = await page.locator('.VPLocalSearchBox .results .result').evaluateAll(links => links.map(link => link.getAttribute('href')));
  const first = results.slice(0, 3);
  expect(first.some(link => link.includes('errors/pool-exhausted')), `the page of the error is not among the first three: ${first}`);
  await page.keyboard.press('Enter');
  await page.waitForURL(url => !url.pathname.endsWith('documentation.html'));
});

await it('dark mode', async () => {
  await open('connection-pooling.html');
  const dark = () => page.evaluate(() => document.documentElement.classList.contains('dark'));
  const before = await dark();
  await page.locator('.VPNavBarAppearance .VPSwitchAppearance, .VPSwitchAppearance').first().click();
  expect(await dark() !== before, 'the switch changes nothing');
  await picture('dark');
  await open('api/Slipstream.PostgreSql.PgConnection.html');
  expect(await dark() !== before, 'the choice is forgotten');
  await picture('dark-api');
  await open('');
  await picture('dark-home');
});

await it('page that is not there', async () => {
  const response = await open('no-such-page.html');
  expect(response.status() === 404, `status ${response.status()}`);
  expect((await page.innerText('body')).includes('This page does not exist'), 'it does not say so');
  await picture('not-found');
});

await it('narrow screen', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [path, name] of [['', 'narrow-home'], ['options.html', 'narrow-options'], ['api/Slipstream.MySql.MySqlCommand.html', 'narrow-api']]) {
    await open(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${path} is wider than the screen`);
    await picture(name);
  }
});

await browser.close();
server.close();
for (const line of wrong)
  console.error(line);
console.log(`In the browser: ${passed} passed, ${wrong.length} failed; the screenshots are in ${pictures}`);
process.exit(wrong.length > 0 ? 1 : 0);
