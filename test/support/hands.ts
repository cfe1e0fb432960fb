/** Two processes that act on one database: the mocha process and another one. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { config } from '#shared/config.ts';
import { type Deed, perform } from './routing-verbs.ts';

interface Answer {
  number: number;
  error?: string;
}

const aSecondProcess = async () => {
  const env = { ...process.env, MONGODB_URI: config.MONGODB_URI };
  const child = fork(new URL('./second-process.ts', import.meta.url), { env });
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  let asked = 0;
  child.on('message', ({ number, error }: Answer) => {
    const asker = waiting.get(number);
    waiting.delete(number);
    if (error) asker?.reject(new Error(error));
    else asker?.resolve();
  });
  await once(child, 'message');
  const act = (deed: Deed): Promise<void> => {
    asked += 1;
    const asker = Promise.withResolvers<void>();
    waiting.set(asked, asker);
    child.send({ number: asked, deed });
    return asker.promise;
  };
  const close = async () => {
    child.disconnect();
    await once(child, 'exit');
  };
  return { act, close };
};

/** Both of them; a deed is done by the first or the second. */
export const twoHands = async () => {
  const second = await aSecondProcess();
  return { act: (hand: number, deed: Deed) => (hand % 2 ? second.act(deed) : perform(deed)), close: second.close };
};

/** Two processes. */
export type Hands = Awaited<ReturnType<typeof twoHands>>;
