// The token comes behind the # of the link: browsers keep that part to themselves.
const token = location.hash.slice(1) || sessionStorage.getItem("host") || "";
if (location.hash) {
  sessionStorage.setItem("host", token);
  history.replaceState(null, "", location.pathname);
}

const NEW_LINK = "The invitation link is new: send it to those whom you still want to invite.";
const byId = (id) => document.getElementById(id);
const status = byId("status");
const isInviteOnly = () => byId("invite-only").checked;

function say(words, isGood = true) {
  status.className = isGood ? "good" : "bad";
  status.textContent = words;
}

async function ask(method, path, body) {
  const answer = await fetch(`/api/host${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error((await answer.json()).text);
  return answer;
}

async function attempt(words, work) {
  try {
    await work();
    await refresh();
    say(typeof words === "function" ? words() : words);
  } catch (error) {
    say(error.message, false);
  }
  status.scrollIntoView({ block: "nearest" });
}

function make(tag, words, more = {}) {
  const found = document.createElement(tag);
  found.textContent = words;
  return Object.assign(found, more);
}

function row(cells, buttons) {
  const found = document.createElement("tr");
  const last = document.createElement("td");
  last.append(...buttons);
  found.append(...cells.map((words) => make("td", words)), last);
  return found;
}

const button = (words, onclick) => make("button", words, { onclick });

function personRow(person) {
  const name = person.name;
  const mute = person.is_muted
    ? button("Let chat", () => attempt(`${name} may chat again.`, () => ask("PUT", `/people/${person.id}/mute`, { on: false })))
    : button("Mute", () => attempt(`${name} is muted.`, () => ask("PUT", `/people/${person.id}/mute`, { on: true })));
  const kick = person.is_banned
    ? button("Let in again", () => attempt(`${name} may come back.`, () => ask("PUT", `/people/${person.id}/kick`, { on: false })))
    : button("Send away", () => {
        const renewed = isInviteOnly() ? " The invitation link is renewed, so that they cannot return with it." : "";
        if (confirm(`Send ${name} away? A bot plays on for them.${renewed}`))
          attempt(
            () => `${name} was sent away.${isInviteOnly() ? ` ${NEW_LINK}` : ""}`,
            () => ask("PUT", `/people/${person.id}/kick`, { on: true }),
          );
      });
  const since = new Date(person.created).toLocaleDateString();
  const here = person.is_banned ? "sent away" : person.is_connected ? "yes" : "no";
  return row([name + (person.is_muted ? " (muted)" : ""), here, since], [mute, kick]);
}

function tableRow(info) {
  const players = info.seats.map((seat) => seat.name ?? "free seat").join(", ");
  const state = info.status === "open" ? "waiting" : `round ${info.round}`;
  const close = button("Close", () => {
    if (confirm("Close this table? Its game ends without a result."))
      attempt("The table is closed.", () => ask("POST", `/tables/${info.table}/close`));
  });
  return row([players, state, info.settings.is_listed ? "yes" : "no"], [close]);
}

function figure(number, words) {
  const found = document.createElement("div");
  found.append(make("b", number), words);
  return found;
}

async function refresh() {
  const [overview, people, tables] = await Promise.all(
    ["/", "/people", "/tables"].map(async (path) => (await ask("GET", path)).json()),
  );
  const minutes = Math.round((Date.now() - overview.started) / 60000);
  byId("figures").replaceChildren(
    figure(overview.connections, "connected"),
    figure(overview.tables.open, "tables waiting"),
    figure(overview.tables.running, "games running"),
    figure(overview.tables.over, "games finished"),
    figure(minutes, "minutes up"),
    figure(overview.version, "version"),
  );
  byId("invite-only").checked = overview.is_invite_only;
  byId("invitation").textContent = `${location.origin}/#join=${overview.invitation}`;
  if (document.activeElement !== byId("notice").elements.text) byId("notice").elements.text.value = overview.notice;
  byId("people").replaceChildren(...people.map(personRow));
  byId("tables").replaceChildren(...tables.map(tableRow));
  byId("desk").hidden = false;
}

byId("notice").onsubmit = (event) => {
  event.preventDefault();
  const text = event.target.elements.text.value;
  attempt(text.trim() ? "Everybody was told." : "The message was taken back.", () => ask("PUT", "/notice", { text }));
};
byId("invite-only").onchange = (event) => {
  const isOn = event.target.checked;
  attempt(isOn ? "Only invited people may come in now." : "Everybody may come in now.", () =>
    ask("PUT", "/rules", { is_invite_only: isOn }),
  );
};
byId("renew").onclick = () => {
  if (confirm("Renew the invitation? The old link stops working at once. Those who are in stay in."))
    attempt(NEW_LINK, () => ask("POST", "/invitation"));
};
byId("export").onclick = () =>
  attempt("The archive is in your downloads.", async () => {
    const answer = await ask("GET", "/export");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await answer.blob());
    link.download = /filename="(.+)"/.exec(answer.headers.get("Content-Disposition"))[1];
    link.click();
    URL.revokeObjectURL(link.href);
  });

refresh().catch((error) => say(error.message, false));
setInterval(() => refresh().catch((error) => say(error.message, false)), 10000);
