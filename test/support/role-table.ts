/** Reads the table of roles and endpoints, `test/data/roles.md`. */
import { readFileSync } from 'node:fs';

/** Whether an endpoint serves callers with a role (`yes`), or the status with which it refuses them. */
export type Verdict = 'yes' | '401' | '403';

/** An endpoint's row. */
export interface RoleRow {
  endpoint: string;
  /** The verdict of each role, by the name of its column. */
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
  const cells = columns.map((column, index): [string, Verdict] => {
    const verdict = verdicts[index];
    if (!isVerdict(verdict)) throw new Error(`${endpoint}, ${column}: "${verdict}" must be yes, 401 or 403`);
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

/** The roles (columns) of the table, and its rows. */
export const { columns: roleColumns, rows: roleRows } = readTable();
