/** What the peer does wrong with conversations, shown not to be here (contract b, `[peer defect]`). */
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Group } from '#shared/models/group.ts';
import { Lead } from '#shared/models/lead.ts';
import { ProjectUser, TEAM } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { api } from '../support/api.ts';
import { aCast } from '../support/cast.ts';
import { aConversation } from '../support/conversations.ts';
import { aPerson, aProject, aTeammate } from '../support/people.ts';

describe('Not here of the peer: conversations', () => {
  it('a bot is let in to the list of conversations, and then it fails (b 1.3)', async () => {
    const { project, cast } = await aCast();
    const root = `/v3/${project}/requests`;
    await api(cast.owner).post(root, { first_text: 'Hello' });
    const { status, body } = await api(cast.bot).get(root);
    expect([status, body.count]).to.deep.equal([200, 1]);
  });

  it('`abandoned` says nothing without a misspelt one beside it (b 1.3)', async () => {
    const { owner, root, project, request_id, post } = await aConversation();
    await api(owner).post(root, { first_text: 'Another' });
    await post(owner, { text: 'Yes?' });
    await Request.updateOne({ id_project: project.id, request_id }, { 'attributes.fully_abandoned': true });
    const { body } = await api(owner).get(`${root}?abandoned=true`);
    expect(body.requests.map((request: { request_id: string }) => request.request_id)).to.deep.equal([request_id]);
  });

  it('a call to `assignee` is never answered (b 1.11)', async () => {
    const { owner, one } = await aConversation();
    expect((await api(owner).put(`${one}/assignee`, {})).status).to.equal(404);
  });

  it('participants that are no list break it (b 1.12)', async () => {
    const { owner, agent, one, read } = await aConversation();
    const before = await read();
    for (const body of [{ members: [agent.id] }, '"text"', '{}'])
      expect(
        (await api(owner).put(`${one}/participants`, body, { 'content-type': 'application/json' })).status,
      ).to.be.oneOf([400, 422]);
    expect(await read()).to.deep.equal(before);
  });

  it('a bot that writes a note crashes it (b 1.14)', async () => {
    const { project, cast } = await aCast();
    const { body } = await api(cast.owner).post(`/v3/${project}/requests`, { first_text: 'Hello' });
    const note = await api(cast.bot).post(`/v3/${project}/requests/${body.request_id}/notes`, { text: 'Be kind' });
    expect([note.status, note.body.code]).to.deep.equal([403, 'ROLE_TOO_LOW']);
  });

  it('of several given participants one is entered (b 2.2)', async () => {
    const { project, guest, agent, admin } = await aProject();
    const participants = [agent.id, admin.id];
    const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
    const { body } = await api(guest).post(path, { text: 'Hello', participants });
    expect(body.request).to.deep.include({ participants, participantsAgents: participants });
  });

  it('a message is read by its id under any conversation, of any project (b 3.6)', async () => {
    const [mine, theirs] = await Promise.all([aConversation(), aConversation()]);
    const { body: elsewhere } = await mine.post(mine.owner, { text: 'Hello' });
    const another = `${mine.root}/${randomUUID()}`;
    await api(mine.owner).post(`${another}/messages`, { text: 'Another' });
    for (const one of [another, theirs.one])
      expect(
        (await api(one === another ? mine.owner : theirs.owner).get(`${one}/messages/${elsewhere._id}`)).status,
      ).to.equal(404);
    expect((await api(mine.owner).get(`${mine.one}/messages/${elsewhere._id}`)).status).to.equal(200);
  });

  it('somebody who writes under another e-mail renames the leads of every project (b 5.9)', async () => {
    const [mine, theirs, person] = await Promise.all([aProject(), aProject(), aPerson()]);
    for (const { project } of [mine, theirs])
      await ProjectUser.create([
        { id_project: project.id, id_user: person.id, role: 'agent', roleType: TEAM, createdBy: person.id },
      ]);
    const write = (id: string, email: string) =>
      api(person).post(`/v3/${id}/requests/${randomUUID()}/messages`, { text: 'Hello', email });
    const lead = (id_project: string) => Lead.findOne({ id_project, lead_id: person.id }).orFail().lean();
    await write(mine.project.id, 'one@example.com');
    const before = await lead(mine.project.id);
    for (const email of ['one@example.com', 'two@example.com']) await write(theirs.project.id, email);
    expect(await lead(mine.project.id)).to.deep.equal(before);
    expect((await lead(theirs.project.id)).email).to.equal('two@example.com');
  });

  for (const [how, change] of [
    ['disabled', { enabled: false }],
    ['in the trash', { trashed: true }],
    ['missing', null],
  ] as const) {
    it(`a group that is ${how} breaks the routing of its department (b 7)`, async () => {
      const { project, owner } = await aProject();
      const root = `/v3/${project.id}`;
      const { id } = await aTeammate(project.id, 'agent');
      const { body: group } = await api(owner).post(`${root}/groups`, { name: 'Sales', members: [id] });
      const made = await api(owner).post(`${root}/departments`, {
        name: 'Sales',
        routing: 'assigned',
        id_group: group._id,
      });
      const which = { id_project: project.id, _id: group._id };
      await (change ? Group.updateOne(which, { $set: change }) : Group.deleteOne(which));
      const first = { text: 'Hello', departmentid: made.body._id };
      const { status, body } = await api(owner).post(`${root}/requests/${randomUUID()}/messages`, first);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.request.snapshot.department._id).to.equal(made.body._id);
      expect((await api(owner).get(`${root}/departments/${made.body._id}/operators`)).status).to.equal(200);
    });
  }

  it('a rating of 0 is none (b 15, 13)', async () => {
    const { owner, one } = await aConversation();
    expect((await api(owner).patch(one, { rating: 0 })).body.rating).to.equal(0);
  });
});
