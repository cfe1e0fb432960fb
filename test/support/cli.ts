/** Commands of `npm run cli`, run one after the other in one process, which saves a second for each command. */
import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a command has printed, and its exit code. */
export interface CliResult {
  code: number;
  out: string;
  error: string;
}

/** Starts a process for commands with these settings; `cli` runs a command, given as one string. */
export const aCliProcess = async (settings: NodeJS.ProcessEnv = {}) => {
  const env = { ...process.env, ...settings };
  const child = fork(new URL('./cli-process.ts', import.meta.url), { env });
  await once(child, 'message');
  let last: Promise<unknown> = Promise.resolve();
  const runNext = async (command: string): Promise<CliResult> => {
    child.send(command.split(' '));
    const [result] = await once(child, 'message');
    return result as CliResult;
  };
  return {
    cli: (command: string): Promise<CliResult> => {
      const result = last.then(() => runNext(command));
      last = result;
      return result;
    },
    close: async (): Promise<void> => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
};

export type CliProcess = Awaited<ReturnType<typeof aCliProcess>>;
