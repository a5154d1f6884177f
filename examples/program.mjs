// A program that plays on a Royal Crypt server wherever it is given a seat. It knows no rules.
// Start it with: node program.mjs SERVER TOKEN [LINK OF A TABLE]; Node 20 also needs --experimental-websocket.
const [server, token, ...links] = process.argv.slice(2);

/** Cards by what they are worth, each with the dice and the effort that cost the least. */
function choose({ form, row }) {
  if (!form) return { do: "decline" }; // no claim, but an offer
  const place = [];
  let ready = form.ready;
  for (const slot of row.filter(({ card }) => card).sort((a, b) => worth(b) - worth(a))) {
    const { cost, dice, effort } = cheapest(form, form.least[slot.slot], ready);
    if (cost >= worth(slot) || (place.length > 0 && form.one_card_only)) continue;
    place.push({ slot: slot.slot, dice, effort });
    ready -= dice;
  }
  return place.length > 0 ? { do: "claim", place } : { do: "recover" };
}

/** Coins: as printed, or as many as are likely; and a little more for what a Collector may pay. */
function worth({ card }) {
  const odds = card.odds ?? [1, 1, 1, 1];
  const [coins, cards] = odds.reduce(([sum, all], n, index) => [sum + n * (index + 1), all + n], [0, 0]);
  return 0.5 + (card.value ?? coins / cards);
}

function cheapest(form, least, ready) {
  let best = { cost: Infinity };
  for (let dice = 1; least !== null && dice <= ready; dice += 1) {
    const effort = Math.ceil(least / dice);
    const [exhausted, chances] = form.exhaustion[effort - 1] ?? [Infinity, 1];
    const cost = dice * (0.2 + (2 * exhausted) / chances);
    if (cost < best.cost) best = { cost, dice, effort };
  }
  return best;
}

async function ask(method, path, invite) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  if (invite) headers["X-Table-Invite"] = invite;
  const body = method === "GET" ? null : "{}";
  const answer = await fetch(`${server}/api${path}`, { method, headers, body });
  const said = await answer.json();
  return answer.ok ? said : console.log(said.text);
}

/** What to say to something that the server told. */
function* answers({ games = [], view, reason, table, ply }, watched) {
  for (const { info, seats } of games) {
    const isOn = info.status === "open" || info.status === "running";
    const isAway = isOn && seats.some((seat) => info.seats[seat].taken_over);
    if (isAway) ask("POST", `/tables/${info.table}/return`);
    if (isOn !== watched.has(info.table)) yield { type: isOn ? "watch" : "unwatch", table: info.table };
    watched[isOn ? "add" : "delete"](info.table);
  }
  if (reason) console.log(reason.text);
  if (view && view.actor === view.seat && (!reason || reason.code === "stale"))
    yield { type: "act", table, ply, actions: [choose(view)] };
}

function play(pause = 1000) {
  const line = new WebSocket(`${server.replace("http", "ws")}/socket`, ["royalcrypt", `bearer.${token}`]);
  const watched = new Set();
  const tell = (message) => line.send(JSON.stringify(message));
  line.onopen = () => tell({ type: "follow", games: true });
  line.onmessage = ({ data }) => [...answers(JSON.parse(data), watched)].forEach(tell);
  line.onclose = ({ code }) => {
    if (code === 1008) return console.log("The server does not want this program.");
    const next = watched.size > 0 ? 1000 : Math.min(60_000, 2 * pause); // it was of use, or was not
    setTimeout(() => play(next), next * (0.5 + Math.random()));
  };
}

for (const link of links) {
  const [table, invite] = link.split("/").slice(-2); // SERVER/#/table/ID/INVITATION: a free seat there
  const { info } = await ask("GET", `/tables/${table}`, invite);
  const free = info.seats.findIndex(({ kind }) => kind === "free");
  await ask("POST", `/tables/${table}/seats/${free}`, invite);
}
play();
