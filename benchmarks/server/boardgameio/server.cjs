// boardgame.io with a trivial game of four: the defaults for production, matches in memory, no credentials.
const { Origins, Server } = require('boardgame.io/server');

const PLAYERS = 4;
const SLOTS = 6;
const CARDS = 48;
const MOST_CLAIMS = 12;

const crypt = {
  name: 'crypt',
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,

  setup: () => ({
    row: Array.from({ length: SLOTS }, (_, slot) => ({ type: slot, value: slot % 4, dice: [] })),
    players: Object.fromEntries(Array.from({ length: PLAYERS }, (_, seat) => [seat, { claims: [] }])),
    secret: { deck: Array.from({ length: CARDS }, (_, card) => card) },
    moves: 0,
  }),

  playerView: ({ G: { secret, ...visible } }) => visible,

  turn: { minMoves: 1, maxMoves: 1 },

  moves: {
    claim({ G, playerID }, slot, effort) {
      const player = G.players[playerID];
      if (player.claims.length >= MOST_CLAIMS) player.claims = [];
      player.claims.push(slot);
      G.row[slot].dice = [{ player: playerID, effort }];
      G.moves += 1;
    },
  },
};

Server({ games: [crypt], origins: [Origins.LOCALHOST] })
  .run(0)
  .then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
