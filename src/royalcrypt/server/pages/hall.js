const rows = document.getElementById("tables");
const status = document.getElementById("status");

function cell(words) {
  const found = document.createElement("td");
  found.textContent = words;
  return found;
}

function seat(info) {
  if (info.kind === "person" || info.kind === "bot") return info.name;
  return "free seat";
}

function clock(choice) {
  if (!choice) return "none";
  if (choice.kind === "days") return `${choice.days} days a move`;
  return `${choice.move} s a move, ${choice.bank} s in the bank`;
}

function state(info) {
  return info.status === "open" ? "waiting" : `round ${info.round}`;
}

async function refresh() {
  try {
    const answer = await fetch("/api/tables");
    const tables = await answer.json();
    if (!answer.ok) {
      status.className = "dim";
      status.textContent = tables.text;
      return;
    }
    rows.replaceChildren(
      ...tables.map((info) => {
        const row = document.createElement("tr");
        row.append(
          cell(info.seats.map(seat).join(", ")),
          cell(info.collectors ?? info.settings.collectors),
          cell(clock(info.settings.clock)),
          cell(state(info)),
        );
        return row;
      }),
    );
    document.getElementById("nobody").hidden = tables.length > 0;
    document.getElementById("listing").hidden = tables.length === 0;
    status.textContent = "";
  } catch {
    status.className = "bad";
    status.textContent = "The server does not answer. This page tries again by itself.";
  }
}

refresh();
setInterval(refresh, 5000);
