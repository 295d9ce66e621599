'use strict';

// A contestant of the race of ecosystems: mysql2 or pg. ../README.md describes the lines that it reads and answers.
// With RACE_PROCESSES above 1, the callers are divided among as many processes.

const { fork } = require('node:child_process');
const readline = require('node:readline');
const { Crew } = require('./crew');
const database = require('./database');

const processes = Number(process.env.RACE_PROCESSES ?? 1);

async function serveRace() {
  const crew = processes > 1 ? new Cluster(processes) : new Single();
  console.log(`ready ${database.version()}`);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [word, ...rest] = line.split(' ');
    try {
      console.log(await answer(crew, word, rest));
    } catch (error) {
      console.log(`failed ${String(error.message || error.code || error).replace(/\s+/g, ' ')}`);
    }
  }
  process.exit(0);
}

async function answer(crew, word, [first, second]) {
  switch (word) {
    case 'open':
      await crew.open(first, Number(second));
      return 'ok';
    case 'run':
      return (await crew.run(Number(first))).join(' ');
    case 'close':
      await crew.close();
      return 'ok';
    default:
      throw new Error(`there is no command '${word}'`);
  }
}

/** The callers are in this process. */
class Single {
  async open(scenario, callers) {
    this.crew = new Crew(scenario, callers);
  }

  run(milliseconds) {
    return this.crew.run(milliseconds);
  }

  close() {
    return this.crew.close();
  }
}

/** The callers are in child processes. */
class Cluster {
  constructor(count) {
    this.children = Array.from({ length: count }, () => fork(__filename));
  }

  open(scenario, callers) {
    const share = at => Math.floor(callers / this.children.length) + (at < callers % this.children.length ? 1 : 0);
    return this.#all(at => ['open', scenario, String(share(at))]);
  }

  async run(milliseconds) {
    const answers = await this.#all(() => ['run', String(milliseconds)]);
    const parts = answers.map(one => one.split(' '));
    return [parts.reduce((sum, one) => sum + Number(one[0]), 0), Math.max(...parts.map(one => Number(one[1]))), parts[0][2]];
  }

  close() {
    return this.#all(() => ['close']);
  }

  #all(words) {
    return Promise.all(this.children.map((child, at) => new Promise((done, fail) => {
      child.once('message', ({ text, error }) => error ? fail(new Error(error)) : done(text));
      child.send(words(at));
    })));
  }
}

function serveParent() {
  const crew = new Single();
  process.on('disconnect', () => process.exit(0));
  process.on('message', async ([word, ...rest]) => {
    try {
      process.send({ text: await answer(crew, word, rest) });
    } catch (error) {
      process.send({ error: String(error.message || error.code || error) });
    }
  });
}

if (process.send)
  serveParent();
else
  serveRace();
