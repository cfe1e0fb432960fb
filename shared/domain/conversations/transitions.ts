/**
 * The status transitions of a conversation as a table, in which operations look up the next status. By itself, a
 * message changes no status unless it ends a preflight; the rows `post a message` and `preflight ends with a bot` are
 * there for the documentation and the tests.
 */
import type { CONVERSATION_STATUS } from '../../models/conversation.ts';

type ConversationStatus = (typeof CONVERSATION_STATUS)[keyof typeof CONVERSATION_STATUS];

/** The status does not change. */
const UNCHANGED = null;

type TransitionOutcome = ConversationStatus | 'as given' | typeof UNCHANGED;

/** The next status for each current status, in the order of `CONVERSATION_STATUSES`. */
type TransitionRow = readonly [
  TransitionOutcome,
  TransitionOutcome,
  TransitionOutcome,
  TransitionOutcome,
  TransitionOutcome,
];

/** The statuses, in the order of the columns: temporary, unserved, abandoned, served, closed. */
export const CONVERSATION_STATUSES = [50, 100, 150, 200, 1000] as const;

/**
 * The initial status of a conversation, by how it is opened. The first row that applies decides. The words `assigned`
 * and `pooled` are values of the department's field `routing`; outside the operating hours, no agent is found. A
 * selection by a webhook (`operator.select`) comes before the department's bot and routing: with a selected
 * agent, the status is 200 (served); with an empty selection, 100 (unserved).
 */
export const INITIAL_STATUSES = {
  'opened as temporary': 50,
  'opened with participants': 200,
  'the department has a bot': 200,
  'department with routing assigned, agent found': 200,
  'department with routing assigned, no agent found': 100,
  'pooled department': 100,
} as const satisfies Record<string, ConversationStatus>;

/**
 * The next status for each operation and each current status. An operation that is not listed does not change the
 * status. Abandoned by all agents: every agent of the department has left the conversation; a webhook may still select
 * one of them.
 */
export const TRANSITIONS = {
  'preflight ends without a bot, assignee found': [200, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
  'preflight ends without a bot, no assignee found': [100, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
  'preflight ends with a bot': [UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
  'waiting, agent becomes available': [UNCHANGED, 200, UNCHANGED, UNCHANGED, UNCHANGED],
  'assign, assignee found': [200, 200, 200, UNCHANGED, UNCHANGED],
  'assign, no assignee found': [100, 100, 100, UNCHANGED, UNCHANGED],
  'assign, no assignee found, assignment unchanged, abandoned by all agents': [100, 150, 100, UNCHANGED, UNCHANGED],
  'change of department or agent, assignee found': [200, 200, 200, 200, 200],
  'change of department or agent, no assignee found': [100, 100, 100, 100, 100],
  'change of department or agent, no assignee found, assignment unchanged, abandoned by all agents': [
    100, 150, 100, 100, 100,
  ],
  'change of department or agent, same assignee found, abandoned by all agents': [200, 200, 200, 150, 200],
  'replace with a bot': [200, 200, 200, 200, 200],
  'add a participant': [200, 200, 200, 200, 200],
  'add an existing participant': [UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
  'set participants': [200, 200, 200, 200, 200],
  'set no participants': [100, 100, 100, 100, 100],
  'set the same participants': [UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
  'remove a participant, others remain': [200, 200, 200, 200, 1000],
  'remove the last participant': [100, 100, 100, 100, 1000],
  'remove a non-participant': [UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
  close: [1000, 1000, 1000, 1000, UNCHANGED],
  'forced close': [1000, 1000, 1000, 1000, 1000],
  reopen: [100, UNCHANGED, 100, UNCHANGED, 100],
  'reopen for deployed clients, with participants': [200, UNCHANGED, 200, UNCHANGED, 200],
  'patch the status': ['as given', 'as given', 'as given', 'as given', 'as given'],
  'post a message': [UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED, UNCHANGED],
} as const satisfies Record<string, TransitionRow>;

/** A row in the table. */
export type Transition = keyof typeof TRANSITIONS;

/** Returns the next status, or null if the status does not change. `requested` is the status that a patch sets. */
export const nextStatus = (
  transition: Transition,
  from: number,
  requested?: ConversationStatus,
): ConversationStatus | null => {
  const outcome: TransitionOutcome =
    TRANSITIONS[transition][CONVERSATION_STATUSES.indexOf(from as ConversationStatus)] ?? UNCHANGED;
  return outcome === 'as given' ? (requested ?? UNCHANGED) : outcome;
};
