/** The moves between the statuses of a conversation, for whoever reads the documentation. */
import { BEGINNINGS, FROM, MOVES } from '#shared/domain/conversations/transitions.ts';

const row = (cells: readonly unknown[]): string => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
const table = (head: readonly unknown[], rows: readonly (readonly unknown[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const moves = Object.entries(MOVES).map(([move, outcomes]) => [move, ...outcomes]);

/** Both tables that the verbs look up, as Markdown. */
export const aboutStatuses = `
## Statuses of a conversation

50 temporary, 100 unserved, 150 abandoned, 200 served, 1000 closed. What becomes of a conversation of each status;
\`–\`: nothing is to be done, and the answer is the conversation as it was.

${table(['move', ...FROM], moves)}

It begins with the first of these that fits:

${table(['beginning', 'status'], Object.entries(BEGINNINGS))}
`;
