/** The moves of a conversation between its statuses (contract b 2.3, decisions 17 and 50): every verb looks up here what becomes of it. */
import type { REQUEST } from '../../models/request.ts';

type Status = (typeof REQUEST)[keyof typeof REQUEST];

/** Nothing is to be done: the answer is the conversation as it was. */
const STAYS = null;

type Outcome = Status | 'as given' | typeof STAYS;

/** What becomes of a conversation of each status, in the order of `FROM`. */
type Row = readonly [Outcome, Outcome, Outcome, Outcome, Outcome];

/** The statuses, in the order of the columns. */
export const FROM = [50, 100, 150, 200, 1000] as const;

/** How a conversation begins: the first that fits (contract b 2.2). */
export const BEGINNINGS = {
  'asked to be temporary': 50,
  'participants are given': 200,
  'the department has a bot': 200,
  'assigned, somebody is found': 200,
  'assigned, nobody is found': 100,
  pooled: 100,
} as const satisfies Record<string, Status>;

/** What moves a conversation, and to where. A row that is not here is no move. */
export const MOVES = {
  'preflight ends without a bot, somebody is found': [200, STAYS, STAYS, STAYS, STAYS],
  'preflight ends without a bot, nobody is found': [100, STAYS, STAYS, STAYS, STAYS],
  'preflight ends with a bot': [STAYS, STAYS, STAYS, STAYS, STAYS],
  'waiting, somebody becomes free': [STAYS, 200, STAYS, STAYS, STAYS],
  'assign, somebody is found': [200, 200, 200, STAYS, STAYS],
  'assign, nobody is found': [100, 100, 100, STAYS, STAYS],
  'assign, nobody is found, nothing else changes, abandoned by all': [100, 150, 100, STAYS, STAYS],
  'departments or agent, somebody is found': [200, 200, 200, 200, 200],
  'departments or agent, nobody is found': [100, 100, 100, 100, 100],
  'departments or agent, nobody is found, nothing else changes, abandoned by all': [100, 150, 100, 100, 100],
  'departments or agent, found who is there already, abandoned by all': [200, 200, 200, 150, 200],
  'replace by a bot': [200, 200, 200, 200, 200],
  'add a participant': [200, 200, 200, 200, 200],
  'add a participant who is there': [STAYS, STAYS, STAYS, STAYS, STAYS],
  'set participants': [200, 200, 200, 200, 200],
  'set no participants': [100, 100, 100, 100, 100],
  'set the same participants': [STAYS, STAYS, STAYS, STAYS, STAYS],
  'remove a participant, others are left': [200, 200, 200, 200, 1000],
  'remove the last participant': [100, 100, 100, 100, 1000],
  'remove who is not there': [STAYS, STAYS, STAYS, STAYS, STAYS],
  close: [1000, 1000, 1000, 1000, STAYS],
  'close by force': [1000, 1000, 1000, 1000, 1000],
  reopen: [100, STAYS, 100, STAYS, 100],
  'reopen for deployed clients, somebody takes part': [200, STAYS, 200, STAYS, 200],
  'patch the status': ['as given', 'as given', 'as given', 'as given', 'as given'],
  'post a message': [STAYS, STAYS, STAYS, STAYS, STAYS],
} as const satisfies Record<string, Row>;

/** A row of the table. */
export type Move = keyof typeof MOVES;

/** Where a move leads from a status; null where nothing is to be done. */
export const moved = (move: Move, from: number, given?: Status): Status | null => {
  const outcome: Outcome = MOVES[move][FROM.indexOf(from as Status)] ?? STAYS;
  return outcome === 'as given' ? (given ?? STAYS) : outcome;
};
