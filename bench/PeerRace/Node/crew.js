'use strict';

const answers = require('./answers');
const database = require('./database');

/** Callers over a pool, each of which runs operations one after another until a block ends. */
class Crew {
  constructor(scenario, callers) {
    if (scenario !== 'single' && scenario !== 'fortunes')
      throw new Error(`there is no scenario '${scenario}'`);
    this.scenario = scenario;
    this.callers = callers;
    this.pool = database.open(callers);
  }

  /** Runs a block: the operations, the microseconds that they took, and what an operation read last. */
  async run(milliseconds) {
    this.isOver = false;
    const start = process.hrtime.bigint();
    const timer = setTimeout(() => { this.isOver = true; }, milliseconds);
    try {
      const counts = await Promise.all(Array.from({ length: this.callers }, () => new Promise((done, fail) => this.#work(done, fail))));
      const microseconds = Number((process.hrtime.bigint() - start) / 1000n);
      return [counts.reduce((sum, one) => sum + one, 0), microseconds, this.check()];
    } finally {
      this.isOver = true;
      clearTimeout(timer);
    }
  }

  check() {
    return this.scenario === 'single' ? `${this.last.id}:${this.last.randomnumber}` : answers.checksum(this.last);
  }

  close() {
    return new Promise((done, fail) => this.pool.close(error => error ? fail(error) : done()));
  }

  #work(done, fail) {
    let count = 0;
    const isSingle = this.scenario === 'single';
    const next = () => {
      if (this.isOver)
        done(count);
      else if (isSingle)
        single();
      else
        this.pool.fortunes(fortunes);
    };
    const single = () => {
      const id = answers.randomId();
      this.pool.one(id, (error, world) => {
        if (error || world?.id !== id)
          return fail(error ?? new Error(`wrong answer for row ${id}`));
        this.last = world;
        count++;
        next();
      });
    };
    const fortunes = (error, rows) => {
      if (error)
        return fail(error);
      try {
        this.last = answers.complete(rows);
      } catch (wrong) {
        return fail(wrong);
      }
      count++;
      next();
    };
    next();
  }
}

module.exports = { Crew };
