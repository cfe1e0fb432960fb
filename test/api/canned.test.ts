import { expect } from 'chai';
import { Canned } from '#shared/models/canned.ts';
import { api, type Caller } from '../support/api.ts';
import { aProject, aTeammate } from '../support/people.ts';

const aTeam = async () => {
  const people = await aProject();
  const colleague = await aTeammate(people.project.id, 'agent');
  const root = `/v3/${people.project.id}/canned`;
  const make = async (who: Caller, more: object = {}) =>
    (await api(who).post(root, { title: 'Hello', text: 'Hello!', ...more })).body;
  return { ...people, colleague, root, make };
};

describe('Canned responses', () => {
  it("are an agent's own unless it shares them, and everybody's when an admin or owner makes them", async () => {
    const { owner, admin, agent, colleague, root, make } = await aTeam();
    const own = await make(agent, { attributes: { a: 1 } });
    expect(own).to.deep.include({ shared: false, status: 100, createdBy: agent.id, attributes: { a: 1 } });
    const all = [own, await make(agent, { shared: true }), await make(admin, { shared: false }), await make(owner)];
    const seen = async (who: Caller) =>
      (await api(who).get(root)).body.map(({ _id }: { _id: string }) => _id) as string[];
    const ids = all.map(({ _id }) => _id as string);
    expect(await seen(agent)).to.have.members(ids);
    for (const who of [colleague, admin, owner])
      expect(await seen(who)).to.have.members(ids.filter((id) => id !== own._id));
    for (const { _id, shared } of all)
      expect((await api(colleague).get(`${root}/${_id}`)).status).to.equal(shared ? 200 : 403);
  });

  it('from elsewhere that do not say whether they are shared are', async () => {
    const { project, colleague, agent, root } = await aTeam();
    const old = await Canned.create({ id_project: project.id, text: 'Old', createdBy: agent.id });
    expect((await api(colleague).get(root)).body).to.have.lengthOf(1);
    expect((await api(colleague).get(`${root}/${String(old._id)}`)).body.text).to.equal('Old');
  });

  it('are changed and removed by their author; those of others by who leads the project, private ones by nobody else', async () => {
    const { owner, admin, agent, colleague, root, make } = await aTeam();
    const verdicts = async (id: string, who: Caller) => [
      (await api(who).put(`${root}/${id}`, { text: 'Changed', title: null })).status,
      (await api(who).delete(`${root}/${id}`)).status,
      (await api(who).delete(`${root}/${id}/physical`)).status,
    ];
    const [refused, done] = [Array(3).fill(403), Array(3).fill(200)];
    const own = await make(agent);
    for (const who of [owner, admin, colleague]) expect(await verdicts(own._id, who)).to.deep.equal(refused);
    expect(await verdicts(own._id, agent)).to.deep.equal(done);
    const shared = await make(agent, { shared: true });
    expect(await verdicts(shared._id, colleague)).to.deep.equal(refused);
    expect(await verdicts(shared._id, admin)).to.deep.equal(done);
    expect(await verdicts((await make(owner))._id, agent)).to.deep.equal(refused);
  });

  it('that are deleted are out of sight, and can still be removed for good', async () => {
    const { agent, root, make } = await aTeam();
    const { _id } = await make(agent);
    const one = `${root}/${_id}`;
    expect((await api(agent).put(one, { title: null, text: 'New' })).body).to.include({ title: 'Hello', text: 'New' });
    expect((await api(agent).delete(one)).body).to.include({ _id, status: 1000 });
    expect((await api(agent).get(root)).body).to.deep.equal([]);
    for (const verb of ['get', 'delete'] as const) expect((await api(agent)[verb](one)).status).to.equal(404);
    expect((await api(agent).put(one, { text: 'Back' })).status).to.equal(404);
    expect((await api(agent).delete(`${one}/physical`)).body).to.deep.equal({ n: 1, ok: 1, deletedCount: 1 });
    expect(await Canned.findOne({ id_project: root.split('/')[2], _id })).to.equal(null);
  });

  it('are made once for one Idempotency-Key, and never without a text (422)', async () => {
    const { agent, root } = await aTeam();
    const post = () => api(agent).post(root, { text: 'Once' }, { 'idempotency-key': 'once' });
    expect((await post()).body).to.deep.equal((await post()).body);
    expect((await api(agent).get(root)).body).to.have.lengthOf(1);
    expect((await api(agent).post(root, { title: 'Nothing' })).status).to.equal(422);
  });

  describe('in a conversation', () => {
    const aConversation = async (text: string, senderFullname?: string) => {
      const { project, agent, guest, root, make } = await aTeam();
      await api(guest).post(`/v3/${project.id}/requests/talk/messages`, { text: 'Hi', senderFullname });
      const { _id } = await make(agent, { text });
      return { agent, said: (request: string) => api(agent).get(`${root}/${_id}/text?request_id=${request}`) };
    };

    it('name who is written to and who writes, and read no name as a placeholder', async () => {
      const text = '$recipient_name: $agent_name here, $agent_names, $recipient_name';
      const { said } = await aConversation(text, '$agent_name $& Doe');
      expect((await said('talk')).body.text).to.equal(
        '$agent_name $& Doe: Ann Lee here, $agent_names, $agent_name $& Doe',
      );
    });

    it('of another project, or that there is none of, say nothing (404)', async () => {
      const { said } = await aConversation('Hello');
      expect((await said('elsewhere')).status).to.equal(404);
      expect((await said('')).status).to.equal(422);
    });
  });
});
