/** Trials of two projects whose conversations have the same ids. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import { times } from './fleet-fixture.ts';
import { aProject, aVisitor } from './people.ts';

const PARALLEL_CALLS = 40;

/** Calls `work` for every item, at most PARALLEL_CALLS at a time. */
const forEachInParallel = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<void> => {
  const pending = [...items];
  const runCalls = async () => {
    for (let item = pending.pop(); item !== undefined; item = pending.pop()) await work(item);
  };
  await Promise.all(times(PARALLEL_CALLS, runCalls));
};

interface ProjectSide {
  id: string;
  /** Several visitors, because one visitor may open at most sixty conversations per hour. */
  visitors: Caller[];
}

const VISITORS = 40;

const aProjectSide = async (): Promise<ProjectSide> => {
  const { id } = (await aProject()).project;
  // No agent is assigned: assignment takes time and is not tested here.
  await ProjectUser.updateMany({ id_project: id }, { user_available: false });
  return { id, visitors: await Promise.all(times(VISITORS, () => aVisitor(id))) };
};

let openedCount = 0;

const openConversation = async ({ id, visitors }: ProjectSide, request_id: string): Promise<void> => {
  const visitor = visitors[openedCount++ % VISITORS];
  const { status, body } = await api(visitor).post(`/v3/${id}/requests/${request_id}/messages`, { text: `of ${id}` });
  const { id_project, recipient, request } = body;
  expect([status, id_project, request?.id_project, recipient]).to.deep.equal([200, id, id, request_id]);
};

/** Writes conversations to the database, as if they had been opened before. */
const storeConversations = async ({ id, visitors: [visitor] }: ProjectSide, request_ids: string[]): Promise<void> => {
  if (!visitor) throw new Error('no visitor');
  const own = { id_project: id, createdBy: visitor.id };
  const snapshot = { lead: { lead_id: visitor.id } };
  const requests = request_ids.map((request_id) => ({ ...own, request_id, first_text: `of ${id}`, snapshot }));
  await Conversation.insertMany(requests);
  const message = { ...own, text: `of ${id}`, sender: visitor.id };
  await Message.insertMany(request_ids.map((recipient) => ({ ...message, recipient })));
};

/**
 * Creates `collisions` conversations in each of two projects, with the same ids in both, and expects that each project
 * has only its own conversations. Both projects open the first `together` conversations at the same time; the others
 * exist in one project before the other project opens them.
 */
export const expectSeparateUnderCollisions = async (collisions: number, together: number): Promise<void> => {
  const [one, other] = await Promise.all([aProjectSide(), aProjectSide()]);
  const ids = times(collisions, () => `support-group-${randomUUID()}`);
  const [openedTogether, openedLater] = [ids.slice(0, together), ids.slice(together)];
  await storeConversations(other, openedLater);
  await forEachInParallel(
    openedTogether,
    async (id) => void (await Promise.all([openConversation(one, id), openConversation(other, id)])),
  );
  await forEachInParallel(openedLater, (id) => openConversation(one, id));
  for (const { id: id_project, visitors } of [one, other]) {
    const leads = visitors.map(({ id }) => id);
    const own = { id_project, request_id: { $in: ids } };
    expect(await Conversation.countDocuments({ ...own, first_text: `of ${id_project}` })).to.equal(collisions);
    expect(await Conversation.countDocuments({ ...own, 'snapshot.lead.lead_id': { $in: leads } })).to.equal(collisions);
    expect(await Message.countDocuments({ id_project, recipient: { $in: ids } })).to.equal(collisions);
    expect(await Message.countDocuments({ id_project, text: `of ${id_project}` })).to.equal(collisions);
  }
};
