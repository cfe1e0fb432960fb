/** An import that goes on while its workers and its API are killed, and clients that do not give up. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, call, type Reply } from './api.ts';
import type { Fleet, Member } from './fleet.ts';
import { aProject, type Person, PASSWORD } from './people.ts';

/** The person as any API of a fleet knows them, whatever secret signs its tokens. */
export const byPassword = ({ id, email }: Person): Caller => ({
  id,
  authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
});

/** Two workers and an API; each is replaced when it is killed. */
export const aShift = async (fleet: Fleet) => {
  const [one, two, api] = await Promise.all([fleet.worker(), fleet.worker(), fleet.api()]);
  const workers: Member[] = [one, two];
  let serving = Promise.resolve(api);
  return {
    workers,
    /** The API that serves, as soon as one does. */
    url: async () => (await serving).url,
    killWorker: async () => {
      const place = Math.floor(Math.random() * workers.length);
      await workers[place]?.end('SIGKILL');
      workers[place] = await fleet.worker();
    },
    killApi: async () => {
      const dying = await serving;
      serving = dying.end('SIGKILL').then(fleet.api);
      await serving;
    },
  };
};

/** A shift. */
export type Shift = Awaited<ReturnType<typeof aShift>>;

const MAX_PAUSE_MS = 900;

/** Kill again and again, each time at a moment nobody knows. */
export const atRandomMoments = async (times: number, kill: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < times; done += 1) {
    await sleep(Math.random() * MAX_PAUSE_MS);
    await kill();
  }
};

const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(error.code));

/** A POST under one Idempotency-Key, sent again to whichever API serves until one accepts it. */
export const insist = async (shift: Shift, caller: Caller, path: string, body: unknown): Promise<Reply> => {
  const headers = { authorization: caller.authorization, 'idempotency-key': randomUUID() };
  for (;;) {
    try {
      const reply = await call('POST', (await shift.url()) + path, { body, headers });
      if (reply.status === 200) return reply;
      if (reply.status < 500) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
    await sleep(20);
  }
};

/** Have a new project import pages; whoever asks and the contents that were accepted. */
export const anImport = async (shift: Shift, list: string[]) => {
  const { project, admin } = await aProject();
  const caller = byPassword(admin);
  const root = `/v3/${project.id}/kb`;
  const { body } = await insist(shift, caller, `${root}/multi?namespace=${project.id}`, { list });
  return { id: project.id, caller, root, accepted: (body as { _id: string }[]).map(({ _id }) => _id) };
};
