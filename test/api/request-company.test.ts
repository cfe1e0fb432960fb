/** What the team keeps with a conversation: notes, tags, followers (contract b 1.13 to 1.15). */
import { expect } from 'chai';
import { asOneEffect } from '#shared/context.ts';
import { add } from '#shared/domain/conversations/notes.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';

const UNKNOWN = 'f'.repeat(24);

const membershipOf = async (id_project: string, of: { id: string }): Promise<string> => {
  const which = /^[0-9a-f]{24}$/.test(of.id) ? { id_user: of.id } : { uuid_user: of.id };
  return String((await ProjectUser.findOne({ id_project, ...which }).lean())?._id);
};

describe('Notes', () => {
  it('are of the team: an agent has to take part, a visitor never sees one', async () => {
    const { owner, agent, guest, one, root, told } = await aConversation();
    expect((await api(agent).post(`${one}/notes`, { text: 'x' })).status).to.equal(403);
    await api(owner).put(`${one}/participants`, [agent.id]);
    await told();
    const { body } = await api(agent).post(`${one}/notes`, { text: 'Call back' });
    expect(body.notes[0]).to.include({ text: 'Call back', createdBy: agent.id });
    expect(await told()).to.deep.equal(['request.update', 'request.updated']);
    expect((await api(guest).get(`${root}/me`)).text).to.not.include('Call back');
    const gone = await api(agent).delete(`${one}/notes/${body.notes[0]._id}`);
    expect(gone.body.notes).to.deep.equal([]);
    expect(await told()).to.deep.equal(['request.update']);
    expect((await api(agent).delete(`${one}/notes/${UNKNOWN}`)).body).to.deep.equal(gone.body);
    expect(await told()).to.deep.equal([]);
  });

  it('say something (400), are not too many (422), on a conversation that there is (404)', async () => {
    const { owner, one, root } = await aConversation();
    for (const body of [{}, { text: '' }, { text: ' \n' }])
      expect((await api(owner).post(`${one}/notes`, body)).status).to.equal(400);
    await api(owner).patch(one, { notes: Array.from({ length: 200 }, () => ({ text: 'x' })) });
    expect((await api(owner).post(`${one}/notes`, { text: 'x' })).status).to.equal(422);
    expect((await api(owner).post(`${root}/unknown/notes`, { text: 'x' })).status).to.equal(404);
    expect((await api(owner).delete(`${root}/unknown/notes/${UNKNOWN}`)).status).to.equal(404);
  });
});

describe('A note whose call is made again', () => {
  it('is one, though nobody was told that it was there', async () => {
    const { owner, project, request_id, read } = await aConversation();
    const where = { id_project: project.id, request_id };
    const again = () => asOneEffect(request_id, () => add(where, 'Once', { kind: 'user', ...owner, role: 'owner' }));
    for (const attempt of [again, again]) await attempt();
    expect((await read()).notes).to.have.length(1);
  });
});

describe('Tags of a conversation', () => {
  it('are added once by name, told of, and taken away by their ids', async () => {
    const { agent, one, told, project } = await aConversation();
    await told();
    const put = (tags: unknown) => api(agent).put(`${one}/tag`, tags);
    await put([{ tag: 'vip', color: '#f00' }]);
    const { body } = await put([{ tag: 'vip', color: '#0f0' }, { tag: 'late' }]);
    expect(body.tags.map(({ tag, color }: Record<string, string>) => [tag, color])).to.deep.equal([
      ['vip', '#f00'],
      ['late', undefined],
    ]);
    const events = ['request.update', 'request.updated', 'request.tag.update'];
    expect(await told()).to.deep.equal([...events, ...events]);
    const last = (await changes(project.id)).at(-1)?.payload as { tags: object[] };
    expect(last.tags).to.deep.equal([body.tags[1]]);
    expect((await put([{ tag: 'late' }])).body).to.deep.equal(body);
    expect(await told()).to.deep.equal([]);
    const left = await api(agent).delete(`${one}/tag/${body.tags[0]._id}`);
    expect(left.body.tags).to.deep.equal([body.tags[1]]);
    expect((await api(agent).delete(`${one}/tag/${UNKNOWN}`)).body).to.deep.equal(left.body);
  });

  it('are named (400 for none, 422 for one without a name), and not too many', async () => {
    const { agent, one, root } = await aConversation();
    expect((await api(agent).put(`${one}/tag`, [])).status).to.equal(400);
    expect((await api(agent).put(`${one}/tag`, [{ color: '#f00' }])).status).to.equal(422);
    expect((await api(agent).put(`${root}/unknown/tag`, [{ tag: 'vip' }])).status).to.equal(404);
    const many = (name: string) => Array.from({ length: 60 }, (_, at) => ({ tag: `${name}${at}` }));
    expect((await api(agent).put(`${one}/tag`, many('a'))).status).to.equal(200);
    expect((await api(agent).put(`${one}/tag`, many('b'))).status).to.equal(422);
  });
});

describe('Followers of a conversation', () => {
  it('are teammates by their memberships, added, set and removed, each told of once', async () => {
    const { agent, admin, owner, one, told, project } = await aConversation();
    const [first, second] = [await membershipOf(project.id, agent), await membershipOf(project.id, admin)];
    await told();
    const add = (member: unknown) => api(owner).post(`${one}/followers`, { member });
    expect((await add(first)).body.followers).to.deep.equal([first]);
    expect((await add(first)).body.followers).to.deep.equal([first]);
    const [update, updated, join, leave] = [
      ...['request.update', 'request.updated'],
      ...['request.followers.join', 'request.followers.leave'],
    ];
    expect(await told()).to.deep.equal([update, updated, join]);
    expect((await api(owner).put(`${one}/followers`, [second, second])).body.followers).to.deep.equal([second]);
    expect(await told()).to.deep.equal([update, updated, join, leave]);
    const gone = await api(owner).delete(`${one}/followers/${second}`);
    expect(gone.body.followers).to.deep.equal([]);
    expect((await api(owner).delete(`${one}/followers/${second}`)).body).to.deep.equal(gone.body);
    expect(await told()).to.deep.equal([update, updated, leave]);
  });

  it('are no visitors, nobody of another project, and no ids that are none (422)', async () => {
    const { owner, guest, one, root, project, read } = await aConversation();
    const other = await aProject();
    const strange = [await membershipOf(project.id, guest), await membershipOf(other.project.id, other.agent), 'me'];
    for (const member of strange) {
      expect((await api(owner).post(`${one}/followers`, { member })).status).to.equal(422);
      expect((await api(owner).put(`${one}/followers`, [member])).status).to.equal(422);
    }
    expect((await api(owner).post(`${one}/followers`, {})).status).to.equal(422);
    expect((await read()).followers).to.deep.equal([]);
    const own = await membershipOf(project.id, owner);
    expect((await api(owner).post(`${root}/unknown/followers`, { member: own })).status).to.equal(404);
  });
});
