/**
 * Rules for conversations. Each rules out a defect of another product; the defects are listed in
 * test/data/defects-of-another-product.md.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { Group } from '#shared/models/group.ts';
import { Lead } from '#shared/models/lead.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '#shared/models/project-user.ts';
import { actorsOfProject } from '../support/actors.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aPerson, aProject, aTeammate } from '../support/people.ts';

describe('Rules for conversations', () => {
  it('a bot can list conversations', async () => {
    const { project, callers } = await actorsOfProject();
    const root = `/v3/${project}/requests`;
    await api(callers.owner).post(root, { first_text: 'Hello' });
    const { status, body } = await api(callers.bot).get(root);
    expect([status, body.count]).to.deep.equal([200, 1]);
  });

  it('the filter `abandoned` works without other parameters', async () => {
    const { owner, root, project, request_id, post } = await aConversation();
    await api(owner).post(root, { first_text: 'Another' });
    await post(owner, { text: 'Yes?' });
    await Conversation.updateOne({ id_project: project.id, request_id }, { 'attributes.fully_abandoned': true });
    const { body } = await api(owner).get(`${root}?abandoned=true`);
    expect(body.requests.map((request: { request_id: string }) => request.request_id)).to.deep.equal([request_id]);
  });

  it('a call to the unknown endpoint `assignee` returns 404', async () => {
    const { owner, one } = await aConversation();
    expect((await api(owner).put(`${one}/assignee`, {})).status).to.equal(404);
  });

  it('participants that are not a list are refused and change nothing', async () => {
    const { owner, agent, one, read } = await aConversation();
    const before = await read();
    for (const body of [{ members: [agent.id] }, '"text"', '{}'])
      expect(
        (await api(owner).put(`${one}/participants`, body, { 'content-type': 'application/json' })).status,
      ).to.be.oneOf([400, 422]);
    expect(await read()).to.deep.equal(before);
  });

  it('a bot cannot write a note (403)', async () => {
    const { project, callers } = await actorsOfProject();
    const { body } = await api(callers.owner).post(`/v3/${project}/requests`, { first_text: 'Hello' });
    const note = await api(callers.bot).post(`/v3/${project}/requests/${body.request_id}/notes`, { text: 'Be kind' });
    expect([note.status, note.body.code]).to.deep.equal([403, 'ROLE_TOO_LOW']);
  });

  it('a first message adds all participants that it names to the conversation', async () => {
    const { project, guest, agent, admin } = await aProject();
    const participants = [agent.id, admin.id];
    const path = `/v3/${project.id}/requests/${randomUUID()}/messages`;
    const { body } = await api(guest).post(path, { text: 'Hello', participants });
    expect(body.request).to.deep.include({ participants, participantsAgents: participants });
  });

  it('a message can be read only at the path of its own conversation and project', async () => {
    const [own, foreign] = await Promise.all([aConversation(), aConversation()]);
    const { body: message } = await own.post(own.owner, { text: 'Hello' });
    const another = `${own.root}/${randomUUID()}`;
    await api(own.owner).post(`${another}/messages`, { text: 'Another' });
    for (const one of [another, foreign.one])
      expect(
        (await api(one === another ? own.owner : foreign.owner).get(`${one}/messages/${message._id}`)).status,
      ).to.equal(404);
    expect((await api(own.owner).get(`${own.one}/messages/${message._id}`)).status).to.equal(200);
  });

  it('a new email address in a message changes the lead only in the project of the message', async () => {
    const [own, foreign, person] = await Promise.all([aProject(), aProject(), aPerson()]);
    for (const { project } of [own, foreign])
      await ProjectUser.create([
        { id_project: project.id, id_user: person.id, role: 'agent', roleType: TEAM_ROLE_TYPE, createdBy: person.id },
      ]);
    const write = (id: string, email: string) =>
      api(person).post(`/v3/${id}/requests/${randomUUID()}/messages`, { text: 'Hello', email });
    const lead = (id_project: string) => Lead.findOne({ id_project, lead_id: person.id }).orFail().lean();
    await write(own.project.id, 'one@example.com');
    const before = await lead(own.project.id);
    for (const email of ['one@example.com', 'two@example.com']) await write(foreign.project.id, email);
    expect(await lead(own.project.id)).to.deep.equal(before);
    expect((await lead(foreign.project.id)).email).to.equal('two@example.com');
  });

  for (const [state, change] of [
    ['disabled', { enabled: false }],
    ['in the trash', { trashed: true }],
    ['missing', null],
  ] as const) {
    it(`a department whose group is ${state} still accepts conversations`, async () => {
      const { project, owner } = await aProject();
      const root = `/v3/${project.id}`;
      const { id } = await aTeammate(project.id, 'agent');
      const { body: group } = await api(owner).post(`${root}/groups`, { name: 'Sales', members: [id] });
      const department = await api(owner).post(`${root}/departments`, {
        name: 'Sales',
        routing: 'assigned',
        id_group: group._id,
      });
      const query = { id_project: project.id, _id: group._id };
      await (change ? Group.updateOne(query, { $set: change }) : Group.deleteOne(query));
      const first = { text: 'Hello', departmentid: department.body._id };
      const { status, body } = await api(owner).post(`${root}/requests/${randomUUID()}/messages`, first);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.request.snapshot.department._id).to.equal(department.body._id);
      expect((await api(owner).get(`${root}/departments/${department.body._id}/operators`)).status).to.equal(200);
    });
  }

  it('a rating of 0 is stored', async () => {
    const { owner, one } = await aConversation();
    expect((await api(owner).patch(one, { rating: 0 })).body.rating).to.equal(0);
  });
});
