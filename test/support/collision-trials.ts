/** Trials of conversations of two projects under the same ids. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import { times } from './fleet-fixture.ts';
import { aProject, aVisitor } from './people.ts';

/** Conversations that both projects open at the same time. */
const AT_ONCE = 100;
/** Calls at a time. */
const HANDS = 40;

/** Calls `work` for every item, a limited number at a time. */
const byMany = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items];
  const hand = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(times(HANDS, hand));
};

interface Side {
  id: string;
  /** Enough for two thousand conversations: each opens at most sixty in an hour. */
  visitors: Caller[];
}

const VISITORS = 40;

const aSide = async (): Promise<Side> => {
  const { id } = (await aProject()).project;
  await ProjectUser.updateMany({ id_project: id }, { user_available: false }); // loads of agents do not matter here
  return { id, visitors: await Promise.all(times(VISITORS, () => aVisitor(id))) };
};

let opened = 0;

const openAt = async ({ id, visitors }: Side, request_id: string): Promise<void> => {
  const visitor = visitors[opened++ % VISITORS];
  const { status, body } = await api(visitor).post(`/v3/${id}/requests/${request_id}/messages`, { text: `of ${id}` });
  const { id_project, recipient, request } = body;
  expect([status, id_project, request?.id_project, recipient]).to.deep.equal([200, id, id, request_id]);
};

/** Existing conversations, written to the database. */
const store = async ({ id, visitors: [visitor] }: Side, request_ids: string[]): Promise<void> => {
  if (!visitor) throw new Error('no visitor');
  const own = { id_project: id, createdBy: visitor.id };
  const snapshot = { lead: { lead_id: visitor.id } };
  const requests = request_ids.map((request_id) => ({ ...own, request_id, first_text: `of ${id}`, snapshot }));
  await Conversation.insertMany(requests);
  const message = { ...own, text: `of ${id}`, sender: visitor.id };
  await Message.insertMany(request_ids.map((recipient) => ({ ...message, recipient })));
};

/** Opens conversations in two projects under the same ids and checks that each project has only its own. */
export const underCollisions = async (collisions: number): Promise<void> => {
  const [one, other] = await Promise.all([aSide(), aSide()]);
  const ids = times(collisions, () => `support-group-${randomUUID()}`);
  const [raced, late] = [ids.slice(0, AT_ONCE), ids.slice(AT_ONCE)];
  await store(other, late);
  await byMany(raced, async (id) => void (await Promise.all([openAt(one, id), openAt(other, id)])));
  await byMany(late, (id) => openAt(one, id));
  for (const { id: id_project, visitors } of [one, other]) {
    const leads = visitors.map(({ id }) => id);
    const own = { id_project, request_id: { $in: ids } };
    expect(await Conversation.countDocuments({ ...own, first_text: `of ${id_project}` })).to.equal(collisions);
    expect(await Conversation.countDocuments({ ...own, 'snapshot.lead.lead_id': { $in: leads } })).to.equal(collisions);
    expect(await Message.countDocuments({ id_project, recipient: { $in: ids } })).to.equal(collisions);
    expect(await Message.countDocuments({ id_project, text: `of ${id_project}` })).to.equal(collisions);
  }
};
