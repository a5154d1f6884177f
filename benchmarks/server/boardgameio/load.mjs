// Plays at boardgame.io as benchmarks/server/load.py does at our server: told what to do by lines of JSON, answers
// each with one. Commands fall due at random moments, whether or not earlier ones have been answered; how long one
// took counts from then.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { io } from 'socket.io-client';

const PLAYERS = 4;
const SLOTS = 6;
const WARM_UP = 2;
const TICK_MS = 1;
const HOPELESS = 1; // Seconds by which sending may fall behind before a step is given up.
const PATIENCE = 60;
const AT_ONCE = 25;

const host = process.argv[2];
const traffic = { sent: 0, received: 0, messages: 0 };
const clock = () => performance.now() / 1000;

/** One match with a socket for each player, and one command at a time. */
class Match {
  constructor(id, onSeen) {
    this.id = id;
    this.onSeen = onSeen;
    this.command = null;
  }

  async open() {
    // The first player's request creates the match.
    this.seats = [await this.join(0)];
    for (let seat = 1; seat < PLAYERS; seat++) this.seats.push(await this.join(seat));
  }

  join(seat) {
    const socket = io(`http://${host}/crypt`, { transports: ['websocket'], forceNew: true });
    socket.on('connect_error', fail);
    socket.on('disconnect', fail);
    socket.on('update', (id, state) => this.hear(seat, state));
    return new Promise((resolve) => {
      socket.on('connect', () => {
        socket.io.engine.on('data', count);
        socket.io.engine.on('packetCreate', ({ data }) => (traffic.sent += data ? data.length + 1 : 0));
        socket.emit('sync', this.id, String(seat), undefined, PLAYERS);
      });
      socket.on('sync', (id, { state }) => {
        this.state = state;
        resolve(socket);
      });
    });
  }

  send(due) {
    const player = this.state.ctx.currentPlayer;
    const args = [this.state._stateID % SLOTS, 3];
    const action = { type: 'MAKE_MOVE', payload: { type: 'claim', args, playerID: player } };
    this.sender = Number(player);
    this.missing = PLAYERS;
    this.command = { due };
    this.seats[this.sender].emit('update', action, this.state._stateID, this.id, player);
  }

  hear(seat, state) {
    const command = this.command;
    if (state._stateID <= this.state._stateID && seat === this.sender) fail('a move was refused');
    if (seat === this.sender) command.acknowledged = clock() - command.due;
    this.missing -= 1;
    if (this.missing) return;
    command.seen = clock() - command.due;
    this.state = state;
    this.onSeen(this, command);
  }
}

class Crowd {
  matches = [];
  ready = [];
  times = [];

  async connect({ tables }) {
    this.matches = Array.from({ length: tables }, (_, number) => new Match(`match-${number}`, this.seen));
    for (let first = 0; first < tables; first += AT_ONCE)
      await Promise.all(this.matches.slice(first, first + AT_ONCE).map((match) => match.open()));
    this.ready = [...this.matches];
  }

  seen = (match, command) => {
    this.times.push(command);
    this.ready.push(match);
  };

  play_again() {} // Matches do not end.

  async run({ rate, seconds }) {
    this.times = [];
    const before = { ...traffic };
    const began = clock();
    const busy = process.cpuUsage();
    const end = began + WARM_UP + seconds;
    let due = began;
    let isAbandoned = false;
    while (due < end && !isAbandoned) {
      const now = clock();
      while (due <= now && this.ready.length) {
        this.ready.shift().send(due);
        due -= Math.log(1 - Math.random()) / rate;
      }
      isAbandoned = now - due > HOPELESS;
      await sleep(TICK_MS);
    }
    const { user, system } = process.cpuUsage(busy);
    const share = (user + system) / 1e6 / (clock() - began);
    await this.settle();
    const counted = this.times.filter((command) => command.due >= began + WARM_UP);
    return {
      rate,
      all: this.times.length,
      done: counted.length,
      acknowledged_p50: quantile(counted, 'acknowledged', 0.5),
      acknowledged_p99: quantile(counted, 'acknowledged', 0.99),
      seen_p50: quantile(counted, 'seen', 0.5),
      seen_p99: quantile(counted, 'seen', 0.99),
      seen_most: quantile(counted, 'seen', 1),
      is_abandoned: isAbandoned,
      client_share: share,
      rematches: 0,
      playing: this.matches.length,
      message: (traffic.received - before.received) / (traffic.messages - before.messages),
      command: (traffic.sent - before.sent) / this.times.length,
    };
  }

  async settle() {
    const latest = clock() + PATIENCE;
    while (this.ready.length < this.matches.length) {
      if (clock() > latest) fail('some moves were never answered');
      await sleep(20);
    }
  }
}

function count(data) {
  traffic.received += data.length + 1; // and the digit for the kind of packet
  traffic.messages += 1;
}

/** In milliseconds; the least value that this part of them does not exceed. */
function quantile(commands, name, part) {
  const sorted = commands.map((command) => command[name]).sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] * 1000;
}

/** A mistake anywhere ends the measurement: figures after it would mean nothing. */
function fail(reason) {
  console.error(reason);
  process.exit(1);
}

const crowd = new Crowd();
for await (const line of createInterface({ input: process.stdin })) {
  const { do: what, ...order } = JSON.parse(line);
  console.log(JSON.stringify((await crowd[what](order)) ?? null));
}
