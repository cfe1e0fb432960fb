/** Reads the table of roles and endpoints, `test/data/roles.md`. */
import { readFileSync } from 'node:fs';

/** The response of an endpoint to a role. */
export type Verdict = 'yes' | '401' | '403';

/** An endpoint's row. */
export interface RoleRow {
  endpoint: string;
  /** Verdicts by the name of the column. */
  cells: Record<string, Verdict>;
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

const isVerdict = (text: string | undefined): text is Verdict => ['yes', '401', '403'].includes(text ?? '');

const rowOf = (columns: string[], line: string): RoleRow => {
  const [endpoint = '', ...verdicts] = cellsOf(line);
  const cells = columns.map((column, at): [string, Verdict] => {
    const verdict = verdicts[at];
    if (!isVerdict(verdict)) throw new Error(`${endpoint}, ${column}: "${verdict}" is no verdict`);
    return [column, verdict];
  });
  return { endpoint, cells: Object.fromEntries(cells) };
};

const readTable = () => {
  const text = readFileSync(new URL('../data/roles.md', import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line.startsWith('| '));
  const header = lines[0] ?? '';
  const columns = cellsOf(header).slice(1, -1);
  return { columns, rows: lines.filter((line) => !line.startsWith('| endpoint')).map((line) => rowOf(columns, line)) };
};

/** The roles of the table, and its rows. */
export const { columns, rows } = readTable();
