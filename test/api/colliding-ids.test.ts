/** Projects that use the same `request_id`. A20 is an attack described in docs/attacks.md. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api } from '../support/api.ts';
import { expectSeparateUnderCollisions } from '../support/collision-trials.ts';
import { aProject } from '../support/people.ts';

/** The fields of a conversation, except the copies of people's records, which may come from a cache. */
const ownFields = (conversation: Record<string, unknown>) => {
  const { agents: _, requester: __, snapshot: ___, ...own } = conversation;
  return own;
};

describe('One request_id in two projects', () => {
  it('A20: two projects use the same 60 request_ids, 40 of them concurrently, without mixing their conversations', () =>
    expectSeparateUnderCollisions(60, 40)).timeout(60_000);

  it('a conversation is read, written and closed only in the project in the path, even if another project has its request_id', async () => {
    const [one, other] = await Promise.all([aProject(), aProject()]);
    const request_id = `shared ${randomUUID()}`;
    const conversationIn = ({ project, owner }: typeof one) => {
      const path = `/v3/${project.id}/requests/${request_id}`;
      return {
        open: () => api(owner).post(`${path}/messages`, { text: `of ${project.id}` }),
        close: () => api(owner).put(`${path}/close`),
        read: async () => (await api(owner).get(path)).body,
        texts: async () => (await api(owner).get(`${path}/messages`)).body.map(({ text }: { text: string }) => text),
      };
    };
    const [mine, theirs] = [conversationIn(one), conversationIn(other)];
    await Promise.all([mine.open(), theirs.open()]);
    const before = ownFields(await theirs.read());
    await mine.close();
    expect(ownFields(await theirs.read())).to.deep.equal(before);
    expect(await theirs.texts()).to.deep.equal([`of ${other.project.id}`]);
    expect((await mine.texts())[0]).to.equal(`of ${one.project.id}`);
  });
});
