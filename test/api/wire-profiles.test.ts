/** The differences between the wire profiles `specification`, the default, and `deployed-clients`. */
import { expect } from 'chai';
import { anApi, call } from '../support/api.ts';
import { theDeployedClientsApi } from '../support/api-process.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';

const ID = /^[0-9a-f]{24}$/;

describe('Wire profiles', () => {
  let deployed: Awaited<ReturnType<typeof theDeployedClientsApi>>;
  let specified: string;

  before(async () => {
    specified = await anApi();
    deployed = await theDeployedClientsApi();
  });

  it("a conversation's department is an id in the specification profile and an object in deployed-clients", async () => {
    const { one, owner } = await aConversation();
    const read = async (base: string) =>
      (
        await call('GET', base + one, {
          headers: { authorization: owner.authorization },
          checkOpenapi: base === specified,
        })
      ).body;
    const [theirs, ours] = [await read(deployed.url), await read(specified)];
    expect(ours.department).to.match(ID);
    expect(theirs.department).to.include({ _id: ours.department, name: 'Default Department' });
    expect(theirs.lead).to.deep.equal(ours.lead).and.include.keys('_id');
  });

  it('reopening a conversation that has participants makes it unserved in the specification profile and served in deployed-clients', async () => {
    const { one, owner } = await aConversation();
    const put = async (base: string, action: string, body: unknown = {}) =>
      (
        await call('PUT', `${base}${one}/${action}`, {
          ...{ body, headers: { authorization: owner.authorization } },
          checkOpenapi: base === specified,
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

  it('`routing: null` of a new department is stored as `pooled` in the specification profile and as null in deployed-clients', async () => {
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

  it('a message import returns the last message in the specification profile and all messages in deployed-clients', async () => {
    const { one, agent } = await aConversation();
    const headers = { authorization: agent.authorization };
    const body = [{ text: 'one' }, { text: 'two' }];
    const send = async (base: string) => (await call('POST', `${base}${one}/messages/multi`, { body, headers })).body;
    expect(await send(specified)).to.include({ text: 'two' });
    expect((await send(deployed.url)).map(({ text }: { text: string }) => text)).to.deep.equal(['one', 'two']);
  });
});
