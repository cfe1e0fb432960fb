import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Message } from '#shared/models/message.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject, aVisitor } from '../support/people.ts';
import { times } from '../support/stage.ts';

const COLLISIONS = 1000;
const AT_ONCE = 100;
/** Calls at a time. */
const HANDS = 40;

/** Do it for every one of them, so many at a time. */
const byMany = async <T>(items: T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items];
  const hand = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(times(HANDS, hand));
};

interface Side {
  id: string;
  /** As many as a thousand conversations need: each opens at most sixty in an hour. */
  visitors: Caller[];
}

const VISITORS = 40;

const aSide = async (): Promise<Side> => {
  const { id } = (await aProject()).project;
  await ProjectUser.updateMany({ id_project: id }, { user_available: false }); // nobody's load is the matter here
  return { id, visitors: await Promise.all(times(VISITORS, () => aVisitor(id))) };
};

let opened = 0;

const openAt = async ({ id, visitors }: Side, request_id: string): Promise<void> => {
  const visitor = visitors[opened++ % VISITORS];
  const { status, body } = await api(visitor).post(`/v3/${id}/requests/${request_id}/messages`, { text: `of ${id}` });
  const { id_project, recipient, request } = body;
  expect([status, id_project, request?.id_project, recipient]).to.deep.equal([200, id, id, request_id]);
};

/** Conversations that have been there for long. */
const store = async ({ id, visitors: [visitor] }: Side, request_ids: string[]): Promise<void> => {
  if (!visitor) throw new Error('no visitor');
  const own = { id_project: id, createdBy: visitor.id };
  const snapshot = { lead: { lead_id: visitor.id } };
  const requests = request_ids.map((request_id) => ({ ...own, request_id, first_text: `of ${id}`, snapshot }));
  await Request.insertMany(requests);
  const said = { ...own, text: `of ${id}`, sender: visitor.id };
  await Message.insertMany(request_ids.map((recipient) => ({ ...said, recipient })));
};

describe('A request_id that two projects choose', () => {
  it('is a conversation of each, a thousand times, a hundred of them at once, and none is crossed (A20)', async () => {
    const [one, other] = await Promise.all([aSide(), aSide()]);
    const ids = times(COLLISIONS, () => `support-group-${randomUUID()}`);
    const [raced, late] = [ids.slice(0, AT_ONCE), ids.slice(AT_ONCE)];
    await store(other, late);
    await byMany(raced, async (id) => void (await Promise.all([openAt(one, id), openAt(other, id)])));
    await byMany(late, (id) => openAt(one, id));
    for (const { id: id_project, visitors } of [one, other]) {
      const leads = visitors.map(({ id }) => id);
      const own = { id_project, request_id: { $in: ids } };
      expect(await Request.countDocuments({ ...own, first_text: `of ${id_project}` })).to.equal(COLLISIONS);
      expect(await Request.countDocuments({ ...own, 'snapshot.lead.lead_id': { $in: leads } })).to.equal(COLLISIONS);
      expect(await Message.countDocuments({ id_project, recipient: { $in: ids } })).to.equal(COLLISIONS);
      expect(await Message.countDocuments({ id_project, text: `of ${id_project}` })).to.equal(COLLISIONS);
    }
  }).timeout(60_000);

  it('is closed, written to and read in the project that is named, and nowhere else', async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const request_id = `shared ${randomUUID()}`;
    const at = ({ project, owner }: typeof one) => {
      const path = `/v3/${project.id}/requests/${request_id}`;
      return {
        open: () => api(owner).post(`${path}/messages`, { text: `of ${project.id}` }),
        close: () => api(owner).put(`${path}/close`),
        read: async () => (await api(owner).get(path)).body,
        texts: async () => (await api(owner).get(`${path}/messages`)).body.map(({ text }: { text: string }) => text),
      };
    };
    const [mine, theirs] = [at(one), at(other)];
    await Promise.all([mine.open(), theirs.open()]);
    const before = await theirs.read();
    await mine.close();
    expect(await theirs.read()).to.deep.equal(before);
    expect(await theirs.texts()).to.deep.equal([`of ${other.project.id}`]);
    expect((await mine.texts())[0]).to.equal(`of ${one.project.id}`);
  });
});
