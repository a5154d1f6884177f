// Made from the server's schemas by `npm run wire`; not to be edited.

/**
 * The kinds of actions, by their names in the notation.
 */
export type Verb = "claim" | "decline" | "mend" | "peek" | "recover" | "reroll" | "take";
/**
 * Life-cycle state of a table.
 */
export type Status = "closed" | "open" | "over" | "running";
/**
 * Condition under which a standing order applies.
 */
export type When = "always" | "free" | "held" | "not_pushed_off" | "pushed_off";
/**
 * Recipients of a chat line; players do not see spectators' chat, because it could be advice.
 */
export type Audience = "spectators" | "table";
export type AnyCommand = Watch | Unwatch | Act | Say | React | Follow | Ping;
export type AnyMessage =
  Welcome | Shown | Update | Refused | Done | Said | Reacted | Presence | Lobby | Games | Notice | Gone;

export interface Wire {
  [k: string]: unknown;
}
/**
 * Reason for a refused command: a code with details for programs, and a text for people.
 */
export interface Reason {
  code: string;
  details: {
    [k: string]: string | number;
  };
  text: string;
}
/**
 * Analysis of a finished game, decision by decision.
 */
export interface GameAnalysis {
  decisions: JudgedDecision[];
  moments: JudgedMoment[];
  wins: ResultSplit[];
  coins: ResultSplit[];
}
/**
 * One action of a seat, evaluated with the knowledge that the seat had at that time.
 */
export interface JudgedDecision {
  move: number;
  round: number;
  seat: number;
  played: WireAction;
  best: WireAction;
  wins: number;
  score: number;
  lost: number;
  lost_coins: number;
  grade: "best" | "blunder" | "good" | "mistake" | "slip";
  facts: JudgedFact[];
}
/**
 * One complete action in the terms of the move notation; slots count from 0.
 */
export interface WireAction {
  do: Verb;
  /**
   * @maxItems 3
   */
  place?: WirePlacement[];
  slot?: number | null;
  /**
   * @maxItems 2
   */
  flip?: number[];
}
/**
 * Dice of the same effort that are placed on one card.
 */
export interface WirePlacement {
  slot: number;
  dice: number;
  effort: number;
}
/**
 * An advantage of a move: key of a text under ``advice.fact.…``, with its parameters.
 */
export interface JudgedFact {
  fact: string;
  details: {};
}
/**
 * Expected results of all seats after a move and its chance outcomes.
 */
export interface JudgedMoment {
  move: number;
  round: number;
  wins: number[];
  scores: number[];
}
/**
 * A seat's result split by source: ``final`` is the sum of all other fields.
 */
export interface ResultSplit {
  expected: number;
  decisions: number;
  dice: number;
  reveals: number;
  rivals: number;
  doubt: number;
  final: number;
}
export interface DailyDays {
  today: string;
  now: number;
  ends: number;
  days: DailyLine[];
}
/**
 * One day in the list of days, with the caller's result.
 */
export interface DailyLine {
  day: string;
  has_tried: boolean;
  score: number | null;
  title: string | null;
}
/**
 * The daily crypt of one day.
 */
export interface DailyDay {
  day: string;
  now: number;
  begins: number;
  ends: number;
  collectors: string;
  commitment: string;
  secret: string | null;
  begun: number;
  scores: DailyScore[];
  titles: {
    [k: string]: number;
  };
  best: DailyBest[];
  mine: DailyTry | null;
}
export interface DailyScore {
  score: number;
  count: number;
}
export interface DailyBest {
  place: number;
  name: string;
  score: number;
  is_you: boolean;
}
/**
 * The caller's attempt at a daily crypt.
 */
export interface DailyTry {
  table: string;
  status: Status;
  counts: boolean;
  score?: number | null;
  title?: string | null;
  place?: number | null;
  taken?: number[];
}
export interface TableAnswer {
  info: TableInfo;
  you: You;
  ply: number;
}
/**
 * Information about a table that everyone who may see it gets.
 */
export interface TableInfo {
  table: string;
  status: Status;
  settings: TableSettings;
  seats: SeatInfo[];
  owner: string;
  opened: number;
  commitment: string;
  collectors?: string | null;
  round?: number | null;
  actor?: number | null;
  deadline?: number | null;
  started?: number | null;
  follows?: string | null;
  followed_by?: string | null;
  why_closed?: ("abandoned" | "empty" | "host" | "owner") | null;
  seal?: string | null;
}
/**
 * Settings of a table, chosen by its owner.
 */
export interface TableSettings {
  players?: number;
  collectors?: string;
  leader?: number | "random";
  /**
   * @maxItems 4
   */
  bots?: BotChoice[];
  clock?: (LiveClock | DaysClock) | null;
  is_listed?: boolean;
  spectators?: boolean;
  remembers?: boolean;
}
/**
 * A seat that gets a bot when the table is opened.
 */
export interface BotChoice {
  seat: number;
  level: string;
}
/**
 * A live clock: ``move`` seconds per decision; extra time is taken from the seat's bank.
 */
export interface LiveClock {
  kind: "live";
  move?: number;
  bank?: number;
}
/**
 * A correspondence clock: a number of days per decision.
 */
export interface DaysClock {
  kind: "days";
  days?: number;
}
/**
 * Information about a seat that everyone at the table may see.
 */
export interface SeatInfo {
  kind: "bot" | "free" | "kept" | "person";
  name?: string | null;
  person?: string | null;
  level?: string | null;
  keeper?: string | null;
  taken_over?: ("kicked" | "left" | "time") | null;
  bank?: number | null;
}
/**
 * The part of a table message that only this reader sees.
 */
export interface You {
  seats: number[];
  seat: number | null;
  is_owner: boolean;
  invite: string | null;
  away_since: number | null;
}
export interface DuplicateLine {
  duplicate: string;
  is_owner: boolean;
  created: number;
  tables: number;
  finished: number;
  is_sealed: boolean;
}
export interface DuplicateAnswer {
  duplicate: string;
  is_owner: boolean;
  created: number;
  settings: TableSettings;
  commitment: string;
  is_sealed: boolean;
  tables: DuplicateTable[];
  mine: string | null;
  averages: number[];
  standings: DuplicateStanding[];
}
export interface DuplicateTable {
  table: string;
  status: Status;
  seats: SeatInfo[];
  invite: string | null;
  scores: number[] | null;
}
export interface DuplicateStanding {
  place: number;
  name: string;
  number: number;
  seat: number;
  score: number;
  difference: number;
  is_you: boolean;
}
export interface NewDuplicate {
  tables: number;
  settings?: TableSettings;
}
export interface Overview {
  version: string;
  started: number;
  connections: number;
  tables: {
    [k: string]: number;
  };
  is_invite_only: boolean;
  invitation: string;
  notice: string;
}
export interface Invitation {
  invitation: string;
}
export interface NoticeText {
  text: string;
}
export interface PersonLine {
  id: string;
  name: string;
  created: number;
  is_muted: boolean;
  is_banned: boolean;
  is_connected: boolean;
}
export interface Flag {
  on: boolean;
}
export interface HouseRulesChange {
  is_invite_only: boolean;
}
/**
 * A what-if line up to the person's next decision or the end of the game.
 */
export interface LinePlayed {
  line: LineMove[];
  frames: RecordedFrame[];
  view: View;
  result: {} | null;
}
/**
 * One move of a what-if line, in move notation.
 */
export interface LineMove {
  seat: number;
  move: string;
}
/**
 * Events that are shown together, and the view after them.
 */
export interface RecordedFrame {
  move: number;
  events: (
    | RevealEvent
    | TakeEvent
    | PeekEvent
    | MendEvent
    | ClaimEvent
    | RecoverEvent
    | GhostEvent
    | RallyEvent
    | RollEvent
    | RerollEvent
    | CollectEvent
    | IdolsEvent
    | TiebreakEvent
    | EndEvent
  )[];
  view: View;
}
/**
 * The event ``reveal`` of RECORD.md; ``n`` counts from 0.
 */
export interface RevealEvent {
  type: "reveal";
  n: number;
  round: number;
  leader: number;
  row: string[];
  down: number[];
  top: string | null;
}
/**
 * The event ``take`` of RECORD.md; ``n`` counts from 0.
 */
export interface TakeEvent {
  type: "take";
  n: number;
  seat: number;
  slot: number;
  flip: string[];
}
/**
 * The event ``peek`` of RECORD.md; ``n`` counts from 0.
 */
export interface PeekEvent {
  type: "peek";
  n: number;
  seat: number;
  flip: string[];
}
/**
 * The event ``mend`` of RECORD.md; ``n`` counts from 0.
 */
export interface MendEvent {
  type: "mend";
  n: number;
  seat: number;
  flip: string[];
}
/**
 * The event ``claim`` of RECORD.md; ``n`` counts from 0.
 */
export interface ClaimEvent {
  type: "claim";
  n: number;
  seat: number;
  place: WirePlacement[];
  last: boolean;
}
/**
 * The event ``recover`` of RECORD.md; ``n`` counts from 0.
 */
export interface RecoverEvent {
  type: "recover";
  n: number;
  seat: number;
  dice: number;
}
/**
 * The event ``ghost`` of RECORD.md; ``n`` counts from 0.
 */
export interface GhostEvent {
  type: "ghost";
  n: number;
  rolled: number[];
  place: WirePlacement[];
  last: boolean;
}
/**
 * The event ``rally`` of RECORD.md; ``n`` counts from 0.
 */
export interface RallyEvent {
  type: "rally";
  n: number;
  seat: number;
  dice: number;
}
/**
 * The event ``roll`` of RECORD.md; ``n`` counts from 0.
 */
export interface RollEvent {
  type: "roll";
  n: number;
  seat: number;
  slot: number;
  effort: number;
  rolled: number[];
}
/**
 * The event ``reroll`` of RECORD.md; ``n`` counts from 0.
 */
export interface RerollEvent {
  type: "reroll";
  n: number;
  seat: number;
  slot: number;
  effort: number;
  flip: string[];
  rolled: number;
}
/**
 * The event ``collect`` of RECORD.md; ``n`` counts from 0.
 */
export interface CollectEvent {
  type: "collect";
  n: number;
  seat: number;
  cards: string[];
}
/**
 * The event ``idols`` of RECORD.md; ``n`` counts from 0.
 */
export interface IdolsEvent {
  type: "idols";
  n: number;
  flips: {
    [k: string]: string[];
  };
}
/**
 * The event ``tiebreak`` of RECORD.md; ``n`` counts from 0.
 */
export interface TiebreakEvent {
  type: "tiebreak";
  n: number;
  rolled: {
    [k: string]: number[];
  };
}
/**
 * The event ``end`` of RECORD.md; ``n`` counts from 0.
 */
export interface EndEvent {
  type: "end";
  n: number;
  scores: number[];
  winners: number[];
}
/**
 * A viewer's knowledge of the game and legal actions.
 *
 *     With ``remembers=False`` a view omits what players can remember themselves (section 12). Until the game is
 *     over it then has only visible cards, the viewer's own collection and the known cards of the row: cards
 *     face-down in other collections and in the discards have no value, hidden cards no odds, ``unseen`` is
 *     empty, and ``scores`` has only the viewer's own score. ``is_public`` is not affected.
 */
export interface View {
  seat: number | null;
  players: number;
  is_solo: boolean;
  collectors: string;
  round: number;
  rounds: number;
  phase: string;
  actor: number | null;
  leader: number;
  lights_out: number;
  turn: number;
  turns: number;
  is_last_turn: boolean;
  decisions: number;
  row: SlotView[];
  seats: SeatView[];
  deck: number;
  top: string | null;
  discards: CardView[];
  unseen: {
    [k: string]: number[];
  };
  actions: number[];
  form: ClaimForm | null;
  scores: (number | null)[];
}
/**
 * One position of the Crypt's row; it has no card once the card was taken.
 */
export interface SlotView {
  slot: number;
  card: CardView | null;
  is_down: boolean;
  holder: number | null;
  dice: number;
  effort: number;
  failed: number;
}
/**
 * A card with the information that its viewer has.
 */
export interface CardView {
  number: number;
  type: string;
  value: number | null;
  is_public: boolean;
  is_flipped: boolean;
  odds: number[] | null;
}
/**
 * A player's servants and collection.
 */
export interface SeatView {
  seat: number;
  is_ghost: boolean;
  ready: number;
  exhausted: number;
  has_peeked: boolean;
  cards: CardView[];
  held: number[];
  unflipped: number[];
  won_idols: boolean;
}
/**
 * The data that a client needs to prepare a claim with additions and comparisons only.
 */
export interface ClaimForm {
  ready: number;
  least: (number | null)[];
  one_card_only: boolean;
  exhaustion: [number, number][];
  rivals: [number, number][];
}
/**
 * A *What if?* line that starts at one moment of an uploaded record.
 */
export interface LineOfRecord {
  move: number;
  seat: number;
  level: string;
  chance?: "new" | "same";
  seed?: number;
  /**
   * @maxItems 200
   */
  line?: LineMove[];
  /**
   * @maxItems 4
   */
  actions?: WireAction[];
  since?: number;
  record: {};
}
/**
 * Tables in the lobby: those with a free seat, then full ones, then running games; each newest first.
 */
export interface LobbyPage {
  tables: TableInfo[];
  next: string | null;
}
export interface NewName {
  name: string;
}
export interface Me {
  person: string;
  name: string;
  is_muted?: boolean;
  keeper?: string;
}
export interface NewPerson {
  name: string;
  invitation?: string | null;
}
export interface MyAddress {
  is_offered: boolean;
  address?: string | null;
  is_confirmed?: boolean;
  language?: string | null;
}
export interface GivenAddress {
  address: string;
  language?: "el" | "en" | "fr" | "pl";
}
export interface Code {
  code: string;
  expires: number;
}
/**
 * One of a person's games, in a list.
 */
export interface GameLine {
  info: TableInfo;
  seats: number[];
  is_your_turn: boolean;
  updated: number;
}
export interface HistoryPage {
  games: PastLine[];
  total: number;
  next: string | null;
}
/**
 * One finished game in the history list.
 */
export interface PastLine {
  table: string;
  ended: number;
  players: number;
  collectors: string;
  seats: PastSeat[];
  title?: string | null;
  rating?: number | null;
}
export interface PastSeat {
  name: string;
  kind: string;
  score: number;
  place: number;
  is_winner: boolean;
  is_mine: boolean;
}
/**
 * One program of the caller, in a list.
 */
export interface ProgramLine {
  id: string;
  name: string;
  created: number;
  used: number | null;
  is_connected: boolean;
}
/**
 * A program's token, shown only once because the server stores only a digest.
 */
export interface NewToken {
  program: ProgramLine;
  token: string;
}
export interface PhraseMade {
  made: number | null;
}
export interface Phrase {
  phrase: string;
}
export interface Statistics {
  games: number;
  shared: number;
  together: Tally;
  alone: Alone;
  by_players: OfPlayers[];
  by_side: OfSide[];
  rivals: Rival[];
  streak: number;
  longest_streak: number;
  timeline: Point[];
  rating?: Standing | null;
}
export interface Tally {
  games: number;
  wins: number;
  average: number;
  best: number;
}
/**
 * Results of solo games (Only Child, R10).
 */
export interface Alone {
  games: number;
  average: number;
  best: number;
  best_table: string | null;
  titles: {
    [k: string]: number;
  };
}
export interface OfPlayers {
  games: number;
  wins: number;
  average: number;
  best: number;
  players: number;
}
/**
 * Results of games with one side of a Collector, multiplayer and solo.
 */
export interface OfSide {
  collector: string;
  side: string;
  games?: number;
  wins?: number;
  average?: number;
  solo_games?: number;
  solo_average?: number;
}
export interface Rival {
  kind: "bot" | "gone" | "person" | "program";
  games: number;
  ahead: number;
  behind: number;
  person?: string | null;
  name?: string;
  level?: string | null;
}
/**
 * One game in a chart.
 */
export interface Point {
  table: string;
  ended: number;
  players: number;
  score: number;
  place: number;
  is_winner: boolean;
  title?: string | null;
  rating?: number | null;
}
export interface Standing {
  rating: number;
  games: number;
  is_provisional: boolean;
  needed: number;
}
/**
 * A finished game, frame by frame, as one viewer knew it or with all cards open.
 */
export interface Replay {
  viewer: number | ("all" | "spectator");
  players: number;
  collectors: string;
  seats: RecordedSeat[];
  frames: RecordedFrame[];
  result: {} | null;
  created: string | null;
  invite: string | null;
}
export interface RecordedSeat {
  name: string;
  kind: string;
}
export interface GivenCode {
  code: string;
}
export interface GivenPhrase {
  phrase: string;
}
export interface NewTable {
  settings?: TableSettings;
  /**
   * @maxItems 4
   */
  sit?: number[];
  /**
   * @maxItems 4
   */
  names?: (string | null)[];
  entropy?: string;
  start?: boolean;
}
/**
 * A what-if line that starts after ``move``, with the next move of the person, who plays ``seat``.
 */
export interface LineSoFar {
  move: number;
  seat: number;
  level: string;
  chance?: "new" | "same";
  seed?: number;
  /**
   * @maxItems 200
   */
  line?: LineMove[];
  /**
   * @maxItems 4
   */
  actions?: WireAction[];
  since?: number;
}
/**
 * A person's private note about a table.
 */
export interface Memo {
  text: string;
  updated: number;
}
export interface NewMemo {
  text: string;
  since?: number;
}
export interface Entering {
  entropy?: string;
}
/**
 * What happened while a bot played for the caller.
 */
export interface Recap {
  table: TableAnswer;
  events: (
    | RevealEvent
    | TakeEvent
    | PeekEvent
    | MendEvent
    | ClaimEvent
    | RecoverEvent
    | GhostEvent
    | RallyEvent
    | RollEvent
    | RerollEvent
    | CollectEvent
    | IdolsEvent
    | TiebreakEvent
    | EndEvent
  )[];
}
export interface Sitting {
  entropy?: string;
  name?: string | null;
}
export interface BotSitting {
  level: string;
}
export interface OrdersAnswer {
  round: number;
  can_give: boolean;
  turns_left: number;
  most: number;
  orders: OrderTold[];
  done: Deed[];
}
/**
 * A standing order, with whether its condition and its action hold now.
 */
export interface OrderTold {
  when: When;
  action: WireAction;
  slot: number | null;
  is_so: boolean;
  objection: Reason | null;
}
/**
 * A move that was made by a standing order.
 */
export interface Deed {
  round: number;
  event: number;
}
export interface NewOrders {
  round: number;
  /**
   * @maxItems 64
   */
  orders: WireOrder[];
}
/**
 * One standing order: a condition and an action.
 */
export interface WireOrder {
  when: When;
  action: WireAction;
  slot?: number | null;
}
export interface ProgramSitting {
  program: string;
  entropy?: string;
}
export interface Health {
  status: "ok";
  version: string;
  uptime: number;
}
/**
 * Start watching a table, from one of the sender's seats or as a spectator.
 */
export interface Watch {
  type: "watch";
  table: string;
  invite?: string | null;
  seat?: number | null;
  since?: number;
  id?: number | null;
}
/**
 * Stop watching a table.
 */
export interface Unwatch {
  type: "unwatch";
  table: string;
  id?: number | null;
}
/**
 * Make a complete move, chosen when the table was at ``ply``; it is applied completely or not at all.
 */
export interface Act {
  type: "act";
  table: string;
  ply: number;
  /**
   * @minItems 1
   * @maxItems 4
   */
  actions: WireAction[];
  seat?: number | null;
  id?: number | null;
}
/**
 * Send a chat line to everyone at the table; a spectator's line goes to spectators only.
 */
export interface Say {
  type: "say";
  table: string;
  text: string;
  id?: number | null;
}
/**
 * Send a quick reaction to the same people as a chat line.
 */
export interface React {
  type: "react";
  table: string;
  reaction: "bravo" | "hello" | "hurry" | "laugh" | "luck" | "ouch" | "thanks" | "think";
  id?: number | null;
}
/**
 * Choose whether to receive changes of the lobby and of the sender's own games.
 */
export interface Follow {
  type: "follow";
  lobby?: boolean;
  games?: boolean;
  id?: number | null;
}
/**
 * Check the connection, and request the server's time.
 */
export interface Ping {
  type: "ping";
  id?: number | null;
}
/**
 * The first message on a socket: the reader's identity and the server's time.
 */
export interface Welcome {
  type: "welcome";
  person: string;
  name: string;
  now: number;
  version: string;
  protocol: number;
  notice?: string | null;
}
/**
 * A whole table, as the answer to ``watch``.
 */
export interface Shown {
  type: "shown";
  table: string;
  ply: number;
  you: You;
  info: TableInfo;
  view: View | null;
  events: (
    | RevealEvent
    | TakeEvent
    | PeekEvent
    | MendEvent
    | ClaimEvent
    | RecoverEvent
    | GhostEvent
    | RallyEvent
    | RollEvent
    | RerollEvent
    | CollectEvent
    | IdolsEvent
    | TiebreakEvent
    | EndEvent
  )[];
  chat: ChatLine[];
  present?: boolean[];
  spectators?: number;
  re?: number | null;
}
/**
 * A chat line; ids ascend in the order of storing.
 */
export interface ChatLine {
  id: number;
  audience: Audience;
  person: string;
  name: string;
  text: string;
  at: number;
}
/**
 * New events, with the table after them.
 */
export interface Update {
  type: "update";
  table: string;
  ply: number;
  events?: (
    | RevealEvent
    | TakeEvent
    | PeekEvent
    | MendEvent
    | ClaimEvent
    | RecoverEvent
    | GhostEvent
    | RallyEvent
    | RollEvent
    | RerollEvent
    | CollectEvent
    | IdolsEvent
    | TiebreakEvent
    | EndEvent
  )[];
  view?: View | null;
  changes?: {} | null;
  info?: TableInfo | null;
  you?: You | null;
  clock?: Tick | null;
  by_bot?: boolean;
  re?: number | null;
}
/**
 * State of the clock after a move.
 */
export interface Tick {
  deadline: number | null;
  banks: number[];
}
/**
 * A refused command, with the current view of the table if it is being watched.
 */
export interface Refused {
  type: "refused";
  reason: Reason;
  table?: string | null;
  ply?: number | null;
  view?: View | null;
  re?: number | null;
}
/**
 * Acknowledges a command that has no other answer.
 */
export interface Done {
  type: "done";
  re?: number | null;
  now: number;
}
/**
 * A new chat line.
 */
export interface Said {
  type: "said";
  table: string;
  line: ChatLine;
}
/**
 * A reaction; it is not stored.
 */
export interface Reacted {
  type: "reacted";
  table: string;
  audience: Audience;
  person: string;
  name: string;
  reaction: "bravo" | "hello" | "hurry" | "laugh" | "luck" | "ouch" | "thanks" | "think";
}
/**
 * The people who have the table open, after a change.
 */
export interface Presence {
  type: "presence";
  table: string;
  present: boolean[];
  spectators: number;
  is_apart?: boolean;
}
/**
 * The first page of the lobby, or with ``is_change`` only changed tables, of any page.
 */
export interface Lobby {
  type: "lobby";
  tables: TableInfo[];
  gone?: string[];
  is_change?: boolean;
  next?: string | null;
}
/**
 * All open and running games of the reader, or with ``is_change`` only changed ones.
 */
export interface Games {
  type: "games";
  games: GameLine[];
  is_change?: boolean;
}
/**
 * A notice from the host to everyone; empty after it is withdrawn.
 */
export interface Notice {
  type: "notice";
  text: string;
}
/**
 * The table is no longer shown to this reader.
 */
export interface Gone {
  type: "gone";
  table: string;
  reason: Reason;
}
