/** Clients that repeat their calls until they succeed, while the API is killed. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, call, type Reply } from './api.ts';
import { aProject, PASSWORD, type Person } from './people.ts';

const RETRY_MS = 20;

/** The running API; while it restarts, `url` waits. */
interface RunningApi {
  url(): Promise<string>;
}

/** A person's Basic credentials. Unlike a token, they are valid for every API process, whatever its signing secret. */
export const withBasicAuth = ({ id, email }: Person): Caller => ({
  id,
  authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`,
});

const isLostConnection = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(E[A-Z]+|UND_ERR_\w+)$/.test(String(error.code));

interface PostRequest {
  path: string;
  body: unknown;
}

/** Repeats a POST request with one Idempotency-Key until the API accepts it. Throws if the API refuses it with 4xx. */
const postUntilAccepted = async (
  api: RunningApi,
  { authorization }: Caller,
  { path, body }: PostRequest,
): Promise<Reply> => {
  const headers = { authorization, 'idempotency-key': randomUUID() };
  for (;;) {
    try {
      const reply = await call('POST', (await api.url()) + path, { body, headers });
      if (reply.status === 200) return reply;
      if (reply.status < 500) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    }
    await sleep(RETRY_MS);
  }
};

/** A client of a new project. Each attempt at a call goes to the API that is running at that time. */
export const aRetryingClient = async (api: RunningApi) => {
  const { project, admin } = await aProject();
  const caller = withBasicAuth(admin);
  const root = `/v3/${project.id}/kb`;
  const post = (path: string, body: unknown) => postUntilAccepted(api, caller, { path: root + path, body });
  return {
    id: project.id,
    /** Adds pages; returns the ids of the contents. */
    addPages: async (list: string[]): Promise<string[]> => {
      const { body } = await post(`/multi?namespace=${project.id}`, { list });
      return (body as { _id: string }[]).map(({ _id }) => _id);
    },
    /** Adds a text; returns the id of the content. */
    addNote: async (source: string): Promise<string> => {
      const note = { type: 'text', name: 'Note', source, content: `This is ${source}.`, namespace: project.id };
      return (await post('', note)).body.value._id;
    },
    addNamespace: async (name: string): Promise<void> => void (await post('/namespace', { name })),
    ask: async (question: string): Promise<string> =>
      (await post('/qa', { question, namespace: project.id, chunks_only: true })).text,
  };
};

/** A client that repeats its calls. */
export type RetryingClient = Awaited<ReturnType<typeof aRetryingClient>>;

/** A client whose project imports these pages. */
export const aRetryingImport = async (
  api: RunningApi,
  list: string[],
): Promise<RetryingClient & { accepted: string[] }> => {
  const client = await aRetryingClient(api);
  return { ...client, accepted: await client.addPages(list) };
};
