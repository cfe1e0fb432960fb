/** Disabled and trashed teammates are not assigned; visitors cannot bypass a teammate's availability or capacity. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { api, type Caller } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aTeam } from '../support/team.ts';

const openAs = (project: { id: string }) => async (caller: Caller, participants: string[]) => {
  const path = `/v3/${project.id}/requests/support-group-${randomUUID()}`;
  const { status, body, text } = await api(caller).post(`${path}/messages`, { text: 'Hello', participants });
  return { status, text, request: body.request, msg: body.msg };
};

const MEMBERSHIP_ENDS = ['', '?soft=true'];

describe('Disabled or trashed teammates as participants', () => {
  it('adding or setting a disabled or trashed teammate as a participant, or opening a conversation with one, returns 422 with the id of the teammate', async () => {
    for (const end of MEMBERSHIP_ENDS) {
      const { project, owner, agent, one } = await aConversation();
      const { body: member } = await api(owner).get(`/v3/${project.id}/project_users/users/${agent.id}`);
      await api(owner).delete(`/v3/${project.id}/project_users/${member._id}${end}`);
      const answers = [
        await api(owner).post(`${one}/participants`, { member: agent.id }),
        await api(owner).put(`${one}/participants`, [agent.id]),
        await openAs(project)(owner, [agent.id]),
      ];
      for (const answer of answers) {
        expect(answer.status).to.equal(422);
        expect(answer.text).to.contain(agent.id).and.contain('disabled or trashed');
      }
      expect((await api(owner).get(one)).body.participants).to.deep.equal([owner.id]);
    }
  });

  it("a visitor's new conversation omits a named teammate who is disabled or trashed, and is routed", async () => {
    for (const end of MEMBERSHIP_ENDS) {
      const { project, owner, agent, guest, root, membershipId } = await aTeam();
      await api(owner).delete(`${root}/${await membershipId(agent)}${end}`);
      const { status, request } = await openAs(project)(guest, [agent.id]);
      expect(status).to.equal(200);
      expect(request.participants).to.have.lengthOf(1).and.not.include(agent.id);
      expect(request.department).to.be.a('string');
    }
  });
});

describe('Conversations of a teammate whose membership ends', () => {
  it('an open conversation stays assigned to a teammate who is disabled, trashed or deleted', async () => {
    for (const end of [...MEMBERSHIP_ENDS, '?hard=true']) {
      const { project, owner, agent, guest, root, membershipId } = await aTeam();
      const { request } = await openAs(project)(guest, [agent.id]);
      expect((await api(owner).delete(`${root}/${await membershipId(agent)}${end}`)).status).to.equal(200);
      const { body } = await api(owner).get(`/v3/${project.id}/requests/${request.request_id}`);
      expect(body.status).to.equal(request.status);
      expect(body.participants).to.deep.equal([agent.id]);
    }
  });
});

describe('Participants named by a visitor', () => {
  it('a teammate named by a visitor receives the conversation only if the teammate is available', async () => {
    const { project, owner, agent, guest, root, membershipId } = await aTeam();
    const open = openAs(project);
    expect((await open(guest, [agent.id])).request.participants).to.deep.equal([agent.id]);
    await api(owner).put(`${root}/${await membershipId(agent)}`, { user_available: false });
    expect((await open(guest, [agent.id])).request.participants).to.not.include(agent.id);
    expect((await open(owner, [agent.id])).request.participants).to.deep.equal([agent.id]);
  });

  it('many visitors who name the same teammate concurrently cannot exceed the capacity of that teammate', async () => {
    const { project, owner, agent, guest, root, membershipId } = await aTeam();
    const member = `${root}/${await membershipId(agent)}`;
    await api(owner).put(member, { max_assigned_chat: 2 });
    const opened = await Promise.all(Array.from({ length: 6 }, () => openAs(project)(guest, [agent.id])));
    const own = opened.filter(({ request }) => request.participants.includes(agent.id));
    expect(own.length).to.equal(2);
    for (const { status, request } of opened) {
      expect(status).to.equal(200);
      expect(request.participants).to.have.lengthOf(1);
    }
    expect((await api(owner).get(member)).body.number_assigned_requests).to.equal(2);
  });
});
