/** Two processes that act on one database: the mocha process and a child process. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { performAction, type RoutingAction } from './routing-actions.ts';

interface ActionResult {
  number: number;
  error?: string;
}

const startSecondProcess = async (uri: string) => {
  const env = { ...process.env, MONGODB_URI: uri };
  const child = fork(new URL('./second-process.ts', import.meta.url), { env });
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let sentCount = 0;
  child.on('message', ({ number, error }: ActionResult) => {
    const pending = waiting.get(number);
    waiting.delete(number);
    if (error) pending?.reject(new Error(error));
    else pending?.resolve();
  });
  await once(child, 'message');
  const act = (action: RoutingAction): Promise<void> => {
    sentCount += 1;
    const pending = Promise.withResolvers<void>();
    waiting.set(sentCount, pending);
    child.send({ number: sentCount, action });
    return pending.promise;
  };
  const close = async () => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { act, close };
};

/**
 * Starts the child process on the database at `uri`. `act` performs an action in this process (even index) or in the
 * child (odd index).
 */
export const twoProcesses = async (uri: string) => {
  const second = await startSecondProcess(uri);
  return {
    act: (processIndex: number, action: RoutingAction) =>
      processIndex % 2 ? second.act(action) : performAction(action),
    close: second.close,
  };
};

export type TwoProcesses = Awaited<ReturnType<typeof twoProcesses>>;
