/** Writes the records of a large project directly to the database, as if the service had run for years. */
import { insertMissingRecords } from '#shared/database/raw-write.ts';
import { rebuild } from '#shared/domain/conversations/counters.ts';
import { CONVERSATION_STATUS, Conversation } from '#shared/models/conversation.ts';
import { Counter } from '#shared/models/counter.ts';
import { Lead } from '#shared/models/lead.ts';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { createRecordGenerator, type SeedAgent, type SeedOptions } from './project-records.ts';

const CONVERSATIONS_PER_BATCH = 1000;
const PARALLEL_BATCHES = 3;

/** An open conversation and an agent whose load includes it. */
interface AgentAssignment {
  request: string;
  user: string;
}

const storeBatch = async (
  options: SeedOptions,
  first: number,
  generate: ReturnType<typeof createRecordGenerator>,
): Promise<AgentAssignment[]> => {
  const count = Math.min(CONVERSATIONS_PER_BATCH, options.requests - first);
  const records = Array.from({ length: count }, (_, index) => generate(first + index));
  const requests = records.map(({ request }) => request);
  await Promise.all([
    insertMissingRecords(Conversation, requests, {}),
    insertMissingRecords(
      Message,
      records.flatMap(({ messages }) => messages),
      {},
    ),
    insertMissingRecords(
      Lead,
      records.flatMap(({ lead }) => lead ?? []),
      {},
    ),
  ]);
  const open = requests.filter(({ status }) => status < CONVERSATION_STATUS.closed);
  return open.flatMap(({ _id, participantsAgents }) => participantsAgents.map((user) => ({ request: _id, user })));
};

/** Stores the load of an agent and marks the agent as unavailable, so that routing assigns no further conversations. */
const assignToAgent = async (
  { id_project }: SeedOptions,
  agent: SeedAgent,
  assignments: AgentAssignment[],
): Promise<void> => {
  const now = new Date();
  const own = assignments.filter(({ user }) => user === agent.id_user);
  const reservations = own.map(({ request }) => ({ request, at: now }));
  const load = { reservations, number_assigned_requests: reservations.length, user_available: false };
  await ProjectUser.updateOne({ id_project, _id: agent._id }, { $set: load });
};

/**
 * Fills a project. `onProgress` receives the number of conversations written. Another call after an interruption
 * completes the project.
 */
export const fillProject = async (
  options: SeedOptions,
  onProgress: (done: number) => void = () => undefined,
): Promise<void> => {
  const { id_project, requests } = options;
  const generate = createRecordGenerator(options);
  const assignments: AgentAssignment[] = [];
  let next = 0;
  const writeBatches = async (): Promise<void> => {
    while (next < requests) {
      const first = next;
      next += CONVERSATIONS_PER_BATCH;
      assignments.push(...(await storeBatch(options, first, generate)));
      onProgress(Math.min(next, requests));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_BATCHES }, writeBatches));
  for (const agent of options.agents) await assignToAgent(options, agent, assignments);
  await Counter.updateOne({ id_project, name: 'tickets' }, { $set: { value: requests } }, { upsert: true });
  await rebuild(id_project);
};
