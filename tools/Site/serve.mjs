// Serves the site on this machine, as a static web server.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export function serve(folder, base, port) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const inside = path.startsWith(base) ? normalize('/' + path.slice(base.length)) : '/404';
    const names = [inside, inside + '.html', join(inside, 'index.html')].map(name => join(folder, name));
    const found = names.find(name => existsSync(name) && statSync(name).isFile());
    const file = found ?? join(folder, '404.html');
    response.writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    response.end(readFileSync(file));
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server)));
}

if (process.argv[1].endsWith('serve.mjs')) {
  const [folder, base, port] = process.argv.slice(2);
  await serve(folder, base, Number(port));
  console.log(`http://localhost:${port}${base} (Ctrl-C ends the server)`);
}
