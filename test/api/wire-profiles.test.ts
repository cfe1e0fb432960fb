/** The points on which the sources of the contract disagree, in both profiles (decision 4). */
import { expect } from 'chai';
import { anApiProcess } from '../support/api-process.ts';
import { anApi, call } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';

const ID = /^[0-9a-f]{24}$/;

describe('The two wire profiles', () => {
  let deployed: Awaited<ReturnType<typeof anApiProcess>>;
  let specified: string;

  before(async () => {
    specified = await anApi();
    deployed = await anApiProcess({ WIRE_PROFILE: 'deployed-clients' });
  });
  after(() => deployed.stop());

  it('differ in the department of a conversation read by its id: its id, or all of it', async () => {
    const { one, owner } = await aConversation();
    const read = async (base: string) =>
      (
        await call('GET', base + one, {
          headers: { authorization: owner.authorization },
          isDescribed: base === specified,
        })
      ).body;
    const [theirs, ours] = [await read(deployed.url), await read(specified)];
    expect(ours.department).to.match(ID);
    expect(theirs.department).to.include({ _id: ours.department, name: 'Default Department' });
    expect(theirs.lead).to.deep.equal(ours.lead).and.include.keys('_id');
  });

  it('differ in what a reopened conversation is: unserved, or served where somebody takes part', async () => {
    const { one, owner } = await aConversation();
    const put = async (base: string, verb: string, body: unknown = {}) =>
      (
        await call('PUT', `${base}${one}/${verb}`, {
          ...{ body, headers: { authorization: owner.authorization } },
          isDescribed: base === specified,
        })
      ).body.status;
    const statuses: number[] = [];
    for (const base of [specified, deployed.url]) {
      await put(base, 'close');
      statuses.push(await put(base, 'reopen'));
    }
    await put(deployed.url, 'participants', []);
    await put(deployed.url, 'close');
    expect([...statuses, await put(deployed.url, 'reopen')]).to.deep.equal([100, 200, 100]);
  });

  it('differ in a department that is made with no routing: it is pooled, or has none', async () => {
    const { project, admin } = await aProject();
    const make = async (base: string, routing?: null) => {
      const body = { name: 'Sales', routing, id_group: null, id_bot: null };
      const headers = { authorization: admin.authorization };
      return (await call('POST', `${base}/v3/${project.id}/departments`, { body, headers })).body;
    };
    expect(await make(deployed.url, null)).to.include({ routing: null, default: false });
    expect((await make(specified, null)).routing).to.equal('pooled');
    expect((await make(deployed.url)).routing).to.equal('pooled');
  });

  it('differ in the answer of an import: the last message, or all of them in their order', async () => {
    const { one, agent } = await aConversation();
    const headers = { authorization: agent.authorization };
    const body = [{ text: 'one' }, { text: 'two' }];
    const send = async (base: string) => (await call('POST', `${base}${one}/messages/multi`, { body, headers })).body;
    expect(await send(specified)).to.include({ text: 'two' });
    expect((await send(deployed.url)).map(({ text }: { text: string }) => text)).to.deep.equal(['one', 'two']);
  });
});
