'use strict';

// The server that the environment names, through a pool of mysql2 or pg. Both are driven by their callbacks, which cost less than their promises.

const WORLD_BY_ID = 'SELECT id, randomnumber FROM world WHERE id = ';
const FORTUNES = 'SELECT id, message FROM fortune';
const ALL_WORLDS = 'SELECT id, randomnumber FROM world ORDER BY id';

const environment = process.env;
const isPostgreSql = environment.RACE_SERVER === 'postgresql';
const server = {
  host: environment.RACE_HOST, port: Number(environment.RACE_PORT), user: environment.RACE_USER, password: environment.RACE_PASSWORD,
  database: environment.RACE_DATABASE,
};

/** Opens a pool with a fixed number of connections. */
function open(size) {
  return isPostgreSql ? new PostgreSql(size) : new MySql(size);
}

function version() {
  const name = isPostgreSql ? 'pg' : 'mysql2';
  return `${name} ${require(`${name}/package.json`).version}, Node ${process.versions.node}`;
}

// execute() prepares a statement on a connection at its first use, and keeps it.
class MySql {
  constructor(size) {
    this.size = size;
    this.pool = require('mysql2').createPool({ ...server, connectionLimit: size, maxIdle: size, idleTimeout: 0x7FFFFFFF, queueLimit: 0 });
  }

  one(id, done) {
    this.pool.execute(WORLD_BY_ID + '?', [id], (error, rows) => done(error, rows && rows[0]));
  }

  fortunes(done) {
    this.pool.execute(FORTUNES, done);
  }

  all(done) {
    this.pool.query(ALL_WORLDS, done);
  }

  use(done) {
    this.pool.getConnection((error, connection) => done(error, connection && {
      one: (id, then) => connection.execute(WORLD_BY_ID + '?', [id], (failure, rows) => then(failure, rows && rows[0])),
      update: (world, then) => connection.execute('UPDATE world SET randomnumber = ? WHERE id = ?', [world.randomnumber, world.id], then),
      run: (text, then) => connection.query(text, then),
      release: () => connection.release(),
    }));
  }

  close(done) {
    this.pool.end(done);
  }
}

// A statement with a name is prepared on a connection at its first use.
class PostgreSql {
  constructor(size) {
    this.size = size;
    const { Pool } = require('pg');
    this.pool = new Pool({ ...server, ssl: false, max: size, idleTimeoutMillis: 0 });
    this.pool.on('error', error => console.error(error.message));
  }

  one(id, done) {
    this.pool.query(worldById(id), (error, result) => done(error, result && result.rows[0]));
  }

  fortunes(done) {
    this.pool.query({ name: 'fortunes', text: FORTUNES }, (error, result) => done(error, result && result.rows));
  }

  all(done) {
    this.pool.query(ALL_WORLDS, (error, result) => done(error, result && result.rows));
  }

  use(done) {
    this.pool.connect((error, client, release) => done(error, client && {
      one: (id, then) => client.query(worldById(id), (failure, result) => then(failure, result && result.rows[0])),
      update: (world, then) => client.query(
        { name: 'update', text: 'UPDATE world SET randomnumber = $1 WHERE id = $2', values: [world.randomnumber, world.id] }, then),
      run: (text, then) => client.query(text, then),
      release,
    }));
  }

  close(done) {
    this.pool.end(done);
  }
}

function worldById(id) {
  return { name: 'world', text: WORLD_BY_ID + '$1', values: [id] };
}

module.exports = { open, version };
