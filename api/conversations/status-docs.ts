/** Documents the statuses of a conversation and their transitions, as Markdown for the API reference. */
import { CONVERSATION_STATUSES, INITIAL_STATUSES, TRANSITIONS } from '#shared/domain/conversations/transitions.ts';

const tableRow = (cells: readonly unknown[]): string => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`;
const markdownTable = (head: readonly unknown[], rows: readonly (readonly unknown[])[]): string =>
  [tableRow(head), tableRow(head.map(() => '---')), ...rows.map(tableRow)].join('\n');

const transitionRows = Object.entries(TRANSITIONS).map(([transition, outcomes]) => [transition, ...outcomes]);

/** Markdown with a table of the transitions and a table of the initial statuses. */
export const statusDocs = `
## Statuses of a conversation

The statuses are 50 (temporary), 100 (unserved), 150 (abandoned), 200 (served) and 1000 (closed). The table shows the
new status of a conversation for each transition and current status. \`–\` means that the status does not change.

${markdownTable(['transition', ...CONVERSATION_STATUSES], transitionRows)}

A new conversation gets the status of the first row that applies:

${markdownTable(['condition', 'status'], Object.entries(INITIAL_STATUSES))}
`;
