// Draws icon.png, the icon of the packages, from icon.svg: node eng/draw-icon.mjs
// NuGet takes no SVG. The picture is one rounded square and lines of one width, so a page of code draws it and no other program is needed.
import { readFileSync, writeFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';

const size = 128;
const samples = 8; // by 8 for each pixel

const svg = readFileSync(new URL('icon.svg', import.meta.url), 'utf8');
const attribute = (element, name) => new RegExp(`<${element}\\b[^>]*\\s${name}="([^"]+)"`).exec(svg)[1];
const colour = text => {
  const digits = text.length === 4 ? [...text.slice(1)].map(digit => digit + digit) : text.slice(1).match(/../g);
  return digits.map(value => parseInt(value, 16));
};
const side = Number(attribute('svg', 'viewBox').split(' ')[2]);
const radius = Number(attribute('rect', 'rx'));
const halfWidth = Number(attribute('path', 'stroke-width')) / 2;
const lines = flatten(attribute('path', 'd'));

const [background, foreground] = [colour(attribute('rect', 'fill')), colour(attribute('path', 'stroke'))];
const rows = Buffer.alloc(size * (1 + 4 * size));
for (let y = 0; y < size; y++) {
  for (let x = 0; x < size; x++) {
    let inside = 0, drawn = 0;
    for (let i = 0; i < samples * samples; i++) {
      const point = [x + (i % samples + 0.5) / samples, y + (Math.floor(i / samples) + 0.5) / samples].map(at => at * side / size);
      if (inSquare(point)) {
        inside++;
        if (lines.some(line => distance(point, line) <= halfWidth)) drawn++;
      }
    }
    const pixel = background.map((value, i) => inside === 0 ? 0 : Math.round((value * (inside - drawn) + foreground[i] * drawn) / inside));
    rows.set([...pixel, Math.round(255 * inside / (samples * samples))], y * (1 + 4 * size) + 1 + 4 * x);
  }
}
const header = Buffer.from([0, 0, 0, size, 0, 0, 0, size, 8, 6, 0, 0, 0]); // 8 bits for each of red, green, blue and alpha
writeFileSync(new URL('icon.png', import.meta.url), Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0)),
]));

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

function inSquare([x, y]) {
  const [dx, dy] = [x, y].map(at => Math.max(radius - at, at - (side - radius), 0));
  return dx * dx + dy * dy <= radius * radius;
}

function distance([x, y], [x1, y1, x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / length));
  return Math.hypot(x - x1 - along * dx, y - y1 - along * dy);
}

// The path as short lines: M, h, and a with a circle (the letters that icon.svg uses).
function flatten(path) {
  const found = [];
  let [x, y] = [0, 0];
  const lineTo = (nextX, nextY) => {
    found.push([x, y, nextX, nextY]);
    [x, y] = [nextX, nextY];
  };
  for (const [, letter, rest] of path.matchAll(/([a-zA-Z])([^a-zA-Z]*)/g)) {
    const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
    if (letter === 'M')
      [x, y] = numbers;
    else if (letter === 'h')
      lineTo(x + numbers[0], y);
    else if (letter === 'a')
      arc(numbers);
    else
      throw new Error(`icon.svg: draw-icon.mjs does not know the letter ${letter} of a path`);
  }
  return found;

  // https://www.w3.org/TR/SVG11/implnote.html#ArcConversionEndpointToCenter, for circles
  function arc([r, , , large, sweep, dx, dy]) {
    const [endX, endY] = [x + dx, y + dy];
    const half = Math.hypot(dx, dy) / 2;
    const away = Math.sqrt(Math.max(0, r * r - half * half)) / (2 * half) * (large === sweep ? -1 : 1);
    const [centreX, centreY] = [(x + endX) / 2 - away * dy, (y + endY) / 2 + away * dx];
    const from = Math.atan2(y - centreY, x - centreX);
    let turn = Math.atan2(endY - centreY, endX - centreX) - from;
    if (sweep && turn < 0) turn += 2 * Math.PI;
    if (!sweep && turn > 0) turn -= 2 * Math.PI;
    for (let i = 1; i <= 48; i++)
      lineTo(centreX + r * Math.cos(from + turn * i / 48), centreY + r * Math.sin(from + turn * i / 48));
  }
}
