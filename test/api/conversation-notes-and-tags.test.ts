/** Annotations of a conversation: notes, tags and followers. */
import { expect } from 'chai';
import { withIdempotentIds } from '#shared/context.ts';
import { add } from '#shared/domain/conversations/annotations/notes.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject } from '../support/people.ts';

const UNKNOWN_ID = 'f'.repeat(24);

const membershipOf = async (id_project: string, { id }: { id: string }): Promise<string> => {
  const person = /^[0-9a-f]{24}$/.test(id) ? { id_user: id } : { uuid_user: id };
  return String((await ProjectUser.findOne({ id_project, ...person }).lean())?._id);
};

describe('Conversation notes', () => {
  it('an agent must be a participant to write a note, and visitors cannot see notes', async () => {
    const { owner, agent, guest, one, root, newEvents } = await aConversation();
    expect((await api(agent).post(`${one}/notes`, { text: 'x' })).status).to.equal(403);
    await api(owner).put(`${one}/participants`, [agent.id]);
    await newEvents();
    const { body } = await api(agent).post(`${one}/notes`, { text: 'Call back' });
    expect(body.notes[0]).to.include({ text: 'Call back', createdBy: agent.id });
    expect(await newEvents()).to.deep.equal(['request.update', 'request.updated']);
    expect((await api(guest).get(`${root}/me`)).text).to.not.include('Call back');
    const removed = await api(agent).delete(`${one}/notes/${body.notes[0]._id}`);
    expect(removed.body.notes).to.deep.equal([]);
    expect(await newEvents()).to.deep.equal(['request.update', 'request.updated']);
    expect((await api(agent).delete(`${one}/notes/${UNKNOWN_ID}`)).body).to.deep.equal(removed.body);
    expect(await newEvents()).to.deep.equal([]);
  });

  it('POST …/notes returns 400 without a text, 422 for too many notes and 404 for an unknown conversation', async () => {
    const { owner, one, root } = await aConversation();
    for (const body of [{}, { text: '' }, { text: ' \n' }])
      expect((await api(owner).post(`${one}/notes`, body)).status).to.equal(400);
    await api(owner).patch(one, { notes: Array.from({ length: 200 }, () => ({ text: 'x' })) });
    expect((await api(owner).post(`${one}/notes`, { text: 'x' })).status).to.equal(422);
    expect((await api(owner).post(`${root}/unknown/notes`, { text: 'x' })).status).to.equal(404);
    expect((await api(owner).delete(`${root}/unknown/notes/${UNKNOWN_ID}`)).status).to.equal(404);
  });
});

describe('Repeated call that adds a note', () => {
  it('two attempts of one call, which generate the same ids, add one note', async () => {
    const { owner, project, request_id, read } = await aConversation();
    const conversation = { id_project: project.id, request_id };
    const addNote = () =>
      withIdempotentIds(request_id, () => add(conversation, 'Once', { kind: 'user', ...owner, role: 'owner' }));
    for (const attempt of [addNote, addNote]) await attempt();
    expect((await read()).notes).to.have.length(1);
  });
});

describe('Conversation tags', () => {
  it('a tag is added to a conversation once per name, with an event, and removed by its id', async () => {
    const { agent, one, newEvents, project } = await aConversation();
    await newEvents();
    const put = (tags: unknown) => api(agent).put(`${one}/tag`, tags);
    await put([{ tag: 'vip', color: '#f00' }]);
    const { body } = await put([{ tag: 'vip', color: '#0f0' }, { tag: 'late' }]);
    expect(body.tags.map(({ tag, color }: Record<string, string>) => [tag, color])).to.deep.equal([
      ['vip', '#f00'],
      ['late', undefined],
    ]);
    const events = ['request.update', 'request.updated', 'request.tag.update'];
    expect(await newEvents()).to.deep.equal([...events, ...events]);
    const last = (await relayedChanges(project.id)).at(-1)?.payload as { tags: object[] };
    expect(last.tags).to.deep.equal([body.tags[1]]);
    expect((await put([{ tag: 'late' }])).body).to.deep.equal(body);
    expect(await newEvents()).to.deep.equal([]);
    const removed = await api(agent).delete(`${one}/tag/${body.tags[0]._id}`);
    expect(removed.body.tags).to.deep.equal([body.tags[1]]);
    expect((await api(agent).delete(`${one}/tag/${UNKNOWN_ID}`)).body).to.deep.equal(removed.body);
  });

  it('PUT …/tag returns 400 without tags, 422 for a tag without a name or too many tags, and 404 for an unknown conversation', async () => {
    const { agent, one, root } = await aConversation();
    expect((await api(agent).put(`${one}/tag`, [])).status).to.equal(400);
    expect((await api(agent).put(`${one}/tag`, [{ color: '#f00' }])).status).to.equal(422);
    expect((await api(agent).put(`${root}/unknown/tag`, [{ tag: 'vip' }])).status).to.equal(404);
    const many = (name: string) => Array.from({ length: 60 }, (_, index) => ({ tag: `${name}${index}` }));
    expect((await api(agent).put(`${one}/tag`, many('a'))).status).to.equal(200);
    expect((await api(agent).put(`${one}/tag`, many('b'))).status).to.equal(422);
  });
});

describe('Conversation followers', () => {
  it('followers are added, replaced and removed by membership id, with an event for each follower who joins or leaves', async () => {
    const { agent, admin, owner, one, newEvents, project } = await aConversation();
    const [first, second] = [await membershipOf(project.id, agent), await membershipOf(project.id, admin)];
    await newEvents();
    const add = (member: unknown) => api(owner).post(`${one}/followers`, { member });
    expect((await add(first)).body.followers).to.deep.equal([first]);
    expect((await add(first)).body.followers).to.deep.equal([first]);
    const [update, updated, join, leave] = [
      ...['request.update', 'request.updated'],
      ...['request.followers.join', 'request.followers.leave'],
    ];
    expect(await newEvents()).to.deep.equal([update, updated, join]);
    expect((await api(owner).put(`${one}/followers`, [second, second])).body.followers).to.deep.equal([second]);
    expect(await newEvents()).to.deep.equal([update, updated, join, leave]);
    const removed = await api(owner).delete(`${one}/followers/${second}`);
    expect(removed.body.followers).to.deep.equal([]);
    expect((await api(owner).delete(`${one}/followers/${second}`)).body).to.deep.equal(removed.body);
    expect(await newEvents()).to.deep.equal([update, updated, leave]);
  });

  it('a visitor, a member of another project and an invalid id are refused as followers with 422', async () => {
    const { owner, guest, one, root, project, read } = await aConversation();
    const other = await aProject();
    const invalidMembers = [
      await membershipOf(project.id, guest),
      await membershipOf(other.project.id, other.agent),
      'me',
    ];
    for (const member of invalidMembers) {
      expect((await api(owner).post(`${one}/followers`, { member })).status).to.equal(422);
      expect((await api(owner).put(`${one}/followers`, [member])).status).to.equal(422);
    }
    expect((await api(owner).post(`${one}/followers`, {})).status).to.equal(422);
    expect((await read()).followers).to.deep.equal([]);
    const own = await membershipOf(project.id, owner);
    expect((await api(owner).post(`${root}/unknown/followers`, { member: own })).status).to.equal(404);
  });
});
