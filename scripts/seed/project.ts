/** A large project, straight into the database: its conversations are what the service would have made of years of work. */
import { recount } from '#shared/domain/conversations/tallies.ts';
import { Counter } from '#shared/models/counter.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { REQUEST, Request } from '#shared/models/request.ts';
import { insertMissing } from '#shared/write.ts';
import { type Agent, type Making, writer } from './records.ts';

/** Conversations of one batch, and batches at once. */
const BATCH = 1000;
const AT_ONCE = 3;

/** An open conversation and whom it counts for. */
interface Load {
  request: string;
  user: string;
}

const store = async (making: Making, first: number, write: ReturnType<typeof writer>): Promise<Load[]> => {
  const count = Math.min(BATCH, making.requests - first);
  const written = Array.from({ length: count }, (_, index) => write(first + index));
  const requests = written.map(({ request }) => request);
  await Promise.all([
    insertMissing(Request, requests, {}),
    insertMissing(
      Message,
      written.flatMap(({ messages }) => messages),
      {},
    ),
    insertMissing(
      Lead,
      written.flatMap(({ lead }) => lead ?? []),
      {},
    ),
  ]);
  const open = requests.filter(({ status }) => status < REQUEST.closed);
  return open.flatMap(({ _id, participantsAgents }) => participantsAgents.map((user) => ({ request: _id, user })));
};

const burden = async ({ id_project }: Making, agent: Agent, loads: Load[]): Promise<void> => {
  const at = new Date();
  const claims = loads.filter(({ user }) => user === agent.id_user).map(({ request }) => ({ request, at }));
  const load = { claims, number_assigned_requests: claims.length, user_available: false };
  await ProjectUser.updateOne({ id_project, _id: agent._id }, { $set: load });
};

/** Fill a project; `told` hears how many conversations there are. Done again after a kill, it completes what is there. */
export const fill = async (making: Making, told: (done: number) => void = () => undefined): Promise<void> => {
  const { id_project, requests } = making;
  const write = writer(making);
  const loads: Load[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests) {
      const first = next;
      next += BATCH;
      loads.push(...(await store(making, first, write)));
      told(Math.min(next, requests));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const agent of making.agents) await burden(making, agent, loads);
  await Counter.updateOne({ id_project, name: 'tickets' }, { $set: { value: requests } }, { upsert: true });
  await recount(id_project);
};
