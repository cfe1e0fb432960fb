/** Runs the import command in a process of its own, and can kill the process while it imports. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../scripts/cli.ts', import.meta.url));

/** How the process ended, the lines of its progress (stderr), and its output (stdout). */
export interface ImportRun {
  signal: NodeJS.Signals | null;
  code: number | null;
  progress: string[];
  out: string;
}

/** Runs the command; kills it as soon as `isKilledAt` returns true for a line of its progress. */
export const runImport = async (
  args: string[],
  { env, isKilledAt = () => false }: { env: NodeJS.ProcessEnv; isKilledAt?(line: string): boolean },
): Promise<ImportRun> => {
  const child = spawn(process.execPath, [...process.execArgv, CLI, 'import', ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const progress: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    progress.push(line);
    if (isKilledAt(line)) child.kill('SIGKILL');
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    out += part;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, progress, out };
};
