/** Clients that do not give up while the API dies under them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, call, type Reply } from './api.ts';
import { aProject, PASSWORD, type Person } from './people.ts';
import type { Stage } from './stage.ts';

const RETRY_MS = 20;

/** The person as any API of a fleet knows them, whatever secret signs its tokens. */
export const byPassword = ({ id, email }: Person): Caller => ({
  id,
  authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
});

const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(error.code));

interface Post {
  path: string;
  body: unknown;
}

/** A POST under one Idempotency-Key, sent again to whichever API serves until one accepts it. */
const insist = async (stage: Stage, { authorization }: Caller, { path, body }: Post): Promise<Reply> => {
  const headers = { authorization, 'idempotency-key': randomUUID() };
  for (;;) {
    try {
      const reply = await call('POST', (await stage.url()) + path, { body, headers });
      if (reply.status === 200) return reply;
      if (reply.status < 500) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
    await sleep(RETRY_MS);
  }
};

/** A new project and what its clients ask of the API, whichever serves. */
export const aClient = async (stage: Stage) => {
  const { project, admin } = await aProject();
  const caller = byPassword(admin);
  const root = `/v3/${project.id}/kb`;
  const post = (path: string, body: unknown) => insist(stage, caller, { path: root + path, body });
  return {
    id: project.id,
    /** The ids of the pages that were accepted. */
    addPages: async (list: string[]): Promise<string[]> => {
      const { body } = await post(`/multi?namespace=${project.id}`, { list });
      return (body as { _id: string }[]).map(({ _id }) => _id);
    },
    /** The id of a text that was accepted. */
    addNote: async (source: string): Promise<string> => {
      const note = { type: 'text', name: 'Note', source, content: `This is ${source}.`, namespace: project.id };
      return (await post('', note)).body.value._id;
    },
    addNamespace: async (name: string): Promise<void> => void (await post('/namespace', { name })),
    ask: async (question: string): Promise<string> =>
      (await post('/qa', { question, namespace: project.id, chunks_only: true })).text,
  };
};

/** A client. */
export type Client = Awaited<ReturnType<typeof aClient>>;

/** A client whose project imports these pages. */
export const anImport = async (stage: Stage, list: string[]): Promise<Client & { accepted: string[] }> => {
  const client = await aClient(stage);
  return { ...client, accepted: await client.addPages(list) };
};
