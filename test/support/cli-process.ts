/** The child process of cli.ts: runs the commands that it receives as messages, and returns what they print. */
import { runCommand } from '../../scripts/cli/run-command.ts';
import type { CliResult } from './cli.ts';

type Write = typeof process.stdout.write;

const runCaptured = async (args: string[]): Promise<CliResult> => {
  const result: CliResult = { code: 0, out: '', error: '' };
  const capture =
    (field: 'out' | 'error'): Write =>
    (text: string | Uint8Array) => {
      result[field] += text;
      return true;
    };
  process.stdout.write = capture('out');
  process.stderr.write = capture('error');
  process.exitCode = 0;
  await runCommand(args);
  return { ...result, code: process.exitCode };
};

process.on('message', async (args: string[]) => process.send?.(await runCaptured(args)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
