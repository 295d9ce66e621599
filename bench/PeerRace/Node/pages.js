'use strict';

const answers = require('./answers');

// TechEmpower's pages, with the same bytes as those of the site in C#.

const SEVERAL = 20;
const JSON_TYPE = 'application/json; charset=utf-8';
const HTML_TYPE = 'text/html; charset=utf-8';
const HEAD = '<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>';
const FOOT = '</table></body></html>';
const ENTITIES = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&#x27;', '+': '&#x2B;' };

class Pages {
  constructor(pool) {
    this.pool = pool;
    this.cache = new Map();
  }

  /** Fills the cache, which the page /cached reads. */
  fill() {
    return new Promise((done, fail) => this.pool.all((error, worlds) => {
      if (error)
        return fail(error);
      for (const { id, randomnumber } of worlds)
        this.cache.set(id, world(id, randomnumber));
      done();
    }));
  }

  answer(request, response) {
    const json = (error, value) => error ? fail(response, error) : end(response, JSON_TYPE, JSON.stringify(value));
    switch (request.url) {
      case '/db':
        return this.pool.one(answers.randomId(), (error, row) => json(error, row && world(row.id, row.randomnumber)));
      case '/queries':
        return this.#withConnection(json, (connection, done) => read(connection, Array.from({ length: SEVERAL }, answers.randomId), done));
      case '/updates':
        return this.#withConnection(json, update);
      case '/fortunes':
        return this.pool.fortunes((error, rows) => error ? fail(response, error) : end(response, HTML_TYPE, html(rows)));
      case '/cached':
        return json(null, Array.from({ length: SEVERAL }, () => this.cache.get(answers.randomId())));
      default:
        response.writeHead(404).end();
    }
  }

  #withConnection(done, work) {
    this.pool.use((error, connection) => error ? done(error) : work(connection, (failure, value) => {
      connection.release();
      done(failure, value);
    }));
  }
}

// One after another: a connection runs one command at a time.
function read(connection, ids, done) {
  const worlds = [];
  const next = () => connection.one(ids[worlds.length], (error, row) => {
    if (error)
      return done(error);
    worlds.push(world(row.id, row.randomnumber));
    return worlds.length < ids.length ? next() : done(null, worlds);
  });
  next();
}

// One commit for all rows, not one for each.
function update(connection, done) {
  read(connection, randomIds(), (error, worlds) => {
    if (error)
      return done(error);
    for (const one of worlds)
      one.randomNumber = answers.randomId();
    // A connection queues the commands, and runs them in this order.
    let failure = null;
    const note = problem => { failure ??= problem; };
    connection.run('BEGIN', note);
    for (const { id, randomNumber } of worlds)
      connection.update({ id, randomnumber: randomNumber }, note);
    connection.run('COMMIT', problem => done(failure ?? problem, worlds));
  });
}

// Ascending: two requests that update the same rows in another order would block each other.
function randomIds() {
  const ids = new Set();
  while (ids.size < SEVERAL)
    ids.add(answers.randomId());
  return [...ids].sort((one, other) => one - other);
}

function world(id, randomNumber) {
  return { id, randomNumber };
}

function html(fortunes) {
  let text = HEAD;
  for (const { id, message } of answers.complete(fortunes))
    text += `<tr><td>${id}</td><td>${message.replace(/[<>&"'+]/g, one => ENTITIES[one])}</td></tr>`;
  return text + FOOT;
}

function end(response, type, body) {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), Server: 'Node' }).end(body);
}

function fail(response, error) {
  console.error(error.message);
  response.writeHead(500).end();
}

module.exports = { Pages };
