import { expect } from 'chai';
import { CannedResponse } from '#shared/models/canned-response.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject, aTeammate } from '../support/people.ts';

const aTeam = async () => {
  const people = await aProject();
  const colleague = await aTeammate(people.project.id, 'agent');
  const root = `/v3/${people.project.id}/canned`;
  const make = async (caller: Caller, more: object = {}) =>
    (await api(caller).post(root, { title: 'Hello', text: 'Hello!', ...more })).body;
  return { ...people, colleague, root, make };
};

describe('Canned responses', () => {
  it('canned responses of agents are private unless shared, and canned responses of admins and owners are always shared', async () => {
    const { owner, admin, agent, colleague, root, make } = await aTeam();
    const own = await make(agent, { attributes: { a: 1 } });
    expect(own).to.deep.include({ shared: false, status: 100, createdBy: agent.id, attributes: { a: 1 } });
    const all = [own, await make(agent, { shared: true }), await make(admin, { shared: false }), await make(owner)];
    const visibleIds = async (caller: Caller) =>
      (await api(caller).get(root)).body.map(({ _id }: { _id: string }) => _id) as string[];
    const ids = all.map(({ _id }) => _id as string);
    expect(await visibleIds(agent)).to.have.members(ids);
    for (const caller of [colleague, admin, owner])
      expect(await visibleIds(caller)).to.have.members(ids.filter((id) => id !== own._id));
    for (const { _id, shared } of all)
      expect((await api(colleague).get(`${root}/${_id}`)).status).to.equal(shared ? 200 : 403);
  });

  it('a stored canned response without the `shared` field is visible to all teammates', async () => {
    const { project, colleague, agent, root } = await aTeam();
    const old = await CannedResponse.create({ id_project: project.id, text: 'Old', createdBy: agent.id });
    expect((await api(colleague).get(root)).body).to.have.lengthOf(1);
    expect((await api(colleague).get(`${root}/${String(old._id)}`)).body.text).to.equal('Old');
  });

  it('a private canned response can be changed and removed only by its author, a shared one also by admins', async () => {
    const { owner, admin, agent, colleague, root, make } = await aTeam();
    const changeStatuses = async (id: string, caller: Caller) => [
      (await api(caller).put(`${root}/${id}`, { text: 'Changed', title: null })).status,
      (await api(caller).delete(`${root}/${id}`)).status,
      (await api(caller).delete(`${root}/${id}/physical`)).status,
    ];
    const [refused, done] = [Array(3).fill(403), Array(3).fill(200)];
    const own = await make(agent);
    for (const caller of [owner, admin, colleague])
      expect(await changeStatuses(own._id, caller)).to.deep.equal(refused);
    expect(await changeStatuses(own._id, agent)).to.deep.equal(done);
    const shared = await make(agent, { shared: true });
    expect(await changeStatuses(shared._id, colleague)).to.deep.equal(refused);
    expect(await changeStatuses(shared._id, admin)).to.deep.equal(done);
    expect(await changeStatuses((await make(owner))._id, agent)).to.deep.equal(refused);
  });

  it('a deleted canned response is hidden, and can still be removed permanently', async () => {
    const { agent, root, make } = await aTeam();
    const { _id } = await make(agent);
    const one = `${root}/${_id}`;
    expect((await api(agent).put(one, { title: null, text: 'New' })).body).to.include({ title: 'Hello', text: 'New' });
    expect((await api(agent).delete(one)).body).to.include({ _id, status: 1000 });
    expect((await api(agent).get(root)).body).to.deep.equal([]);
    for (const verb of ['get', 'delete'] as const) expect((await api(agent)[verb](one)).status).to.equal(404);
    expect((await api(agent).put(one, { text: 'Back' })).status).to.equal(404);
    expect((await api(agent).delete(`${one}/physical`)).body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect(await CannedResponse.findOne({ id_project: root.split('/')[2], _id })).to.equal(null);
  });

  it('a canned response is created once per Idempotency-Key, and refused with 422 if it has no text', async () => {
    const { agent, root } = await aTeam();
    const post = () => api(agent).post(root, { text: 'Once' }, { 'idempotency-key': 'once' });
    expect((await post()).body).to.deep.equal((await post()).body);
    expect((await api(agent).get(root)).body).to.have.lengthOf(1);
    expect((await api(agent).post(root, { title: 'Nothing' })).status).to.equal(422);
  });

  describe('Placeholders of canned responses', () => {
    const aConversation = async (text: string, senderFullname?: string) => {
      const { project, agent, guest, root, make } = await aTeam();
      await api(guest).post(`/v3/${project.id}/requests/talk/messages`, { text: 'Hi', senderFullname });
      const { _id } = await make(agent, { text });
      return { agent, textFor: (request: string) => api(agent).get(`${root}/${_id}/text?request_id=${request}`) };
    };

    it('a canned response inserts the names of the lead and the agent, and does not expand placeholders in a name', async () => {
      const text = '$recipient_name: $agent_name here, $agent_names, $recipient_name';
      const { textFor } = await aConversation(text, '$agent_name $& Doe');
      expect((await textFor('talk')).body.text).to.equal(
        '$agent_name $& Doe: Ann Lee here, $agent_names, $agent_name $& Doe',
      );
    });

    it('GET …/canned/:id/text returns 404 for an unknown conversation and 422 without request_id', async () => {
      const { textFor } = await aConversation('Hello');
      expect((await textFor('elsewhere')).status).to.equal(404);
      expect((await textFor('')).status).to.equal(422);
    });
  });
});
