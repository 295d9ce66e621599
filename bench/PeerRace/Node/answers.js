'use strict';

// What an operation does with its rows, and how the race checks them.

const WORLDS = 10_000;
const FORTUNE_COUNT = 12;

function randomId() {
  return 1 + Math.floor(Math.random() * WORLDS);
}

/** Adds a fortune to those of the table, and sorts them by their UTF-16 units, as the other contestants do. */
function complete(fortunes) {
  if (fortunes.length !== FORTUNE_COUNT)
    throw new Error(`wrong answer: ${fortunes.length} fortunes`);
  fortunes.push({ id: 0, message: 'Additional fortune added at request time.' });
  return fortunes.sort((one, other) => one.message < other.message ? -1 : one.message > other.message ? 1 : 0);
}

/** FNV-1a of 32 bits, as the race computes it. */
function checksum(fortunes) {
  let sum = 2_166_136_261;
  for (const { id, message } of fortunes)
    for (const one of Buffer.from(`${id}\t${message}\n`))
      sum = Math.imul(sum ^ one, 16_777_619);
  return (sum >>> 0).toString(16).padStart(8, '0');
}

module.exports = { checksum, complete, randomId };
