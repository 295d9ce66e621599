'use strict';

// A contestant of the web race: TechEmpower's pages over Node's own server, and mysql2 or pg. It prints its port, and ends with its standard input.
// With RACE_PROCESSES above 1, as many processes share the port.

const cluster = require('node:cluster');
const http = require('node:http');
const database = require('./database');
const { Pages } = require('./pages');

const processes = Number(process.env.RACE_PROCESSES ?? 1);

if (processes > 1 && cluster.isPrimary)
  lead();
else
  serve();

function lead() {
  let listening = 0;
  cluster.on('listening', (_, address) => {
    if (++listening === processes)
      announce(address.port);
  });
  for (let at = 0; at < processes; at++)
    cluster.fork();
}

async function serve() {
  const pages = new Pages(database.open(Math.ceil(Number(process.env.RACE_POOL) / processes)));
  await pages.fill();
  const server = http.createServer((request, response) => pages.answer(request, response));
  // A connection that the load generator does not use between two blocks stays open.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => {
    if (cluster.isPrimary)
      announce(server.address().port);
  });
}

function announce(port) {
  console.log(port);
  process.stdin.resume().on('end', () => process.exit(0));
}
