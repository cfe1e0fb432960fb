/** Conversations over HTTP: opening without a message, closing, reopening, participants and lists. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Conversation } from '#shared/models/conversation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from '../support/api.ts';
import { aConversation, withoutLoad } from '../support/conversations.ts';
import { times } from '../support/fleet-fixture.ts';
import { aProject, aTeammate } from '../support/people.ts';

const loadOf = async (id_project: string, id_user: string): Promise<number> => {
  const member = await ProjectUser.findOne({ id_project, id_user }).lean();
  return member?.number_assigned_requests ?? 0;
};

describe('Conversation opened without a message', () => {
  it('POST …/requests returns the conversation with its lead, requester and department, under the given or a generated request_id', async () => {
    const { project, agent, guest } = await aProject();
    const open = (body: object) => api(agent).post(`/v3/${project.id}/requests/`, { first_text: 'A call', ...body });
    const conversation = await open({ sender: guest.id });
    expect(conversation.status).to.equal(200);
    expect(conversation.body.request_id).to.match(new RegExp(`^support-group-${project.id}-[0-9a-f]{32}$`));
    for (const field of ['lead', 'requester', 'department'])
      expect(conversation.body[field]).to.match(/^[0-9a-f]{24}$/);
    expect(conversation.body.snapshot.lead).to.include({ lead_id: guest.id });
    expect((await open({ request_id: 'any text' })).body.request_id).to.equal('any text');
    expect((await open({ request_id: 'any text' })).status).to.equal(409);
    expect((await open({ request_id: 'any text', sender: 'nobody' })).status).to.equal(403);
    expect((await api(agent).get(`/v3/${project.id}/requests/any%20text/messages`)).body).to.deep.equal([]);
    expect((await open({ sender: 'nobody' })).status).to.equal(403);
    expect((await open({ first_text: undefined })).status).to.equal(422);
  });
});

describe('Conversations of one visitor opened concurrently', () => {
  it('concurrently opened conversations of one visitor share one lead and have different tickets', async () => {
    const { project, agent, guest } = await aProject();
    const root = `/v3/${project.id}/requests`;
    const opened = await Promise.all([
      ...times(5, () => api(agent).post(root, { first_text: 'A call', sender: guest.id })),
      ...times(5, (index) => api(guest).post(`${root}/own-${index}/messages`, { text: 'Hi' })),
    ]);
    expect(opened.map(({ status }) => status)).to.deep.equal(times(10, () => 200));
    const stored = await Conversation.find({ id_project: project.id }).lean();
    expect(new Set(stored.map(({ lead }) => lead))).to.have.length(1);
    expect(new Set(stored.map(({ ticket_id }) => ticket_id))).to.have.length(10);
  });
});

describe('Closing a conversation', () => {
  it('closing a conversation posts a system message and frees its agent, and a second call changes nothing', async () => {
    const { owner, one, read, newEvents, project, messages } = await aConversation();
    const [teammate] = (await read()).participants;
    expect(await loadOf(project.id, teammate)).to.equal(1);
    await newEvents();
    const closed = await api(owner).put(`${one}/close`, {});
    expect(closed.body).to.include({ status: 1000, closed_by: owner.id });
    expect(closed.body.duration).to.equal(Date.parse(closed.body.closed_at) - Date.parse(closed.body.createdAt));
    expect(closed.body.participants).to.deep.equal([teammate]);
    const closing = ['request.update', 'request.updated', 'request.close', 'request.close.extended'];
    expect(await newEvents()).to.deep.equal([...closing, 'message.create']);
    expect((await messages()).at(-1)).to.deep.include({ sender: 'system', senderFullname: 'Bot' });
    expect((await messages()).at(-1).attributes.messagelabel).to.deep.equal({ key: 'CHAT_CLOSED' });
    expect(await loadOf(project.id, teammate)).to.equal(0);
    const again = await api(owner).put(`${one}/close`, {});
    expect(withoutLoad(again.body)).to.deep.equal(withoutLoad(closed.body));
    expect(await newEvents()).to.deep.equal([]);
    expect((await api(owner).put(`${one}/close`, { force: true })).body.__v).to.be.greaterThan(closed.body.__v);
  });

  it('only participating agents and admins may close a conversation', async () => {
    const { project, one, owner, agent } = await aConversation();
    const bystander = await aTeammate(project.id, 'agent');
    await api(owner).put(`${one}/participants`, [agent.id]);
    expect((await api(bystander).put(`${one}/close`, {})).status).to.equal(403);
    expect((await api(agent).put(`${one}/close`, {})).status).to.equal(200);
  });
});

describe('Reopening a conversation', () => {
  it('a reopened conversation keeps its participants and counts towards their load again, and reopening an open one changes nothing', async () => {
    const { owner, one, read, newEvents, project, messages } = await aConversation();
    const open = await read();
    expect((await api(owner).put(`${one}/reopen`, {})).body).to.deep.equal(open);
    await api(owner).put(`${one}/close`, {});
    await newEvents();
    const reopened = await api(owner).put(`${one}/reopen`, {});
    expect(reopened.body).to.include({ status: 100, closed_by: owner.id });
    expect(reopened.body.participants).to.deep.equal(open.participants);
    expect(await newEvents()).to.deep.equal(['request.update', 'request.updated', 'request.reopen', 'message.create']);
    expect((await messages()).at(-1).attributes.messagelabel).to.deep.equal({ key: 'CHAT_REOPENED' });
    expect(await loadOf(project.id, open.participants[0])).to.equal(1);
  });
});

describe('Participants of a conversation', () => {
  it('an agent who joins a conversation replaces its bot', async () => {
    const { agent, one, newEvents, project, messages } = await aConversation({ text: 'Hi', participants: ['bot_1'] });
    await newEvents();
    const { body } = await api(agent).post(`${one}/participants`, { member: agent.id });
    expect(body).to.deep.include({ participants: [agent.id], participantsBots: [], hasBot: false, status: 200 });
    expect(body.participatingAgents[0]).to.include({ _id: agent.id });
    expect(await newEvents()).to.deep.equal([
      'request.update',
      'request.updated',
      'request.participants.join',
      'request.assigned',
      'message.create',
    ]);
    expect((await messages()).at(-1).text).to.match(/: Hi$/);
    expect(await loadOf(project.id, agent.id)).to.equal(1);
    expect((await api(agent).post(`${one}/participants`, { member: agent.id })).body).to.deep.equal(body);
  });

  it('setting the participants of a conversation replaces them all and clears the waiting time', async () => {
    const { agent, admin, owner, one, post, newEvents, project } = await aConversation();
    await post(agent, { text: 'Hello' });
    const set = (ids: unknown) => api(owner).put(`${one}/participants`, ids);
    const { body } = await set([agent.id, admin.id]);
    expect(body)
      .to.deep.include({ participants: [agent.id, admin.id], status: 200 })
      .and.not.have.property('waiting_time');
    expect(await newEvents()).to.include('request.participants.update');
    expect((await set([agent.id, admin.id])).body).to.deep.equal(body);
    expect([await loadOf(project.id, agent.id), await loadOf(project.id, admin.id)]).to.deep.equal([1, 1]);
    expect((await set([])).body).to.deep.include({ participants: [], status: 100 });
    expect([await loadOf(project.id, agent.id), await loadOf(project.id, admin.id)]).to.deep.equal([0, 0]);
    expect((await set('all')).status).to.be.oneOf([400, 422]);
  });

  it('participants leave a conversation one by one, and a closed conversation stays closed when its last participant leaves', async () => {
    const { agent, admin, owner, one, newEvents, project } = await aConversation();
    await api(owner).put(`${one}/participants`, [agent.id, admin.id]);
    const leave = (id: string) => api(owner).delete(`${one}/participants/${id}`);
    const first = await leave(agent.id);
    expect(first.body).to.deep.include({ participants: [admin.id], status: 200 });
    expect(await newEvents()).to.include('request.participants.leave');
    const membership = await ProjectUser.findOne({ id_project: project.id, id_user: agent.id }).lean();
    expect(first.body.attributes.abandoned_by_project_users).to.have.property(String(membership?._id));
    expect((await leave(agent.id)).body).to.deep.equal(first.body);
    await api(owner).put(`${one}/close`, {});
    expect((await leave(admin.id)).body).to.deep.include({ participants: [], status: 1000 });
  });
});

describe('List of conversations', () => {
  it('the list of conversations contains open conversations by default, newest first, with their count, in pages', async () => {
    const { guest, owner, root, one, request_id } = await aConversation();
    const others = Array.from({ length: 3 }, () => randomUUID());
    for (const id of others) await api(guest).post(`${root}/${id}/messages`, { text: id });
    const ids = async (query: string) => {
      const { body } = await api(owner).get(`${root}?${query}`);
      return body.requests.map((request: { request_id: string }) => request.request_id);
    };
    expect(await ids('')).to.deep.equal([...others.toReversed(), request_id]);
    expect(await ids('limit=3&page=1&direction=1')).to.deep.equal([others[2]]);
    await api(owner).put(`${one}/close`, {});
    expect(await ids('status=1000')).to.deep.equal([request_id]);
    expect(await ids('status=all')).to.have.length(4);
    expect(await ids('status=100,x')).to.deep.equal([]);
    expect((await api(owner).get(`${root}?status=300`)).status).to.equal(422);
    const { body } = await api(owner).get(`${root}?limit=500`);
    expect(body).to.include({ perPage: 40, count: 3 });
    expect((await api(owner).get(`${root}?no_count=true`)).body.count).to.equal(0);
    expect((await api(owner).get(`${root}?no_populate=true`)).body.requests[0].lead).to.match(/^[0-9a-f]{24}$/);
  });

  it('the list of conversations can be filtered by each of its query parameters', async () => {
    const { agent, owner, root, one, read, guest } = await aConversation({
      text: 'Hi',
      email: 'a@b.example',
      channel: { name: 'email' },
    });
    await api(owner).put(`${one}/participants`, []);
    await api(owner).put(`${one}/participants`, [agent.id]);
    const { lead, department, ticket_id } = await read();
    const countFor = async (query: string) => (await api(owner).get(`${root}?${query}`)).body.count;
    const fits = [
      `dept_id=${department}`,
      `lead=${lead._id}`,
      `participant=${agent.id}`,
      'hasbot=false',
      'requester_email=a@b.example',
      `ticket_id=${ticket_id}`,
      'channel=offline',
      'channel=email',
      'priority=medium',
      `snap_lead_lead_id=${guest.id}`,
      'snap_department_routing=assigned',
      'smartAssignment=false',
      'workingStatus[ne]=pending',
      'draft=false',
    ];
    const fails = [
      `dept_id=${'f'.repeat(24)}`,
      `participant=${owner.id}`,
      'hasbot=true',
      'tags=vip',
      'ticket_id=77',
      'channel=online',
      'priority=high',
      'rated=true',
      'workingStatus[in]=open,pending',
    ];
    for (const query of fits) expect(await countFor(query), query).to.equal(1);
    for (const query of fails) expect(await countFor(query), query).to.equal(0);
  });

  it('the list of conversations interprets dates in the given time zone', async () => {
    const { owner, root, request_id, project } = await aConversation();
    const setCreatedAt = (createdAt: string) =>
      Conversation.updateOne(
        { id_project: project.id, request_id },
        { $set: { createdAt } },
        { overwriteImmutable: true, timestamps: false },
      );
    const countFor = async (query: string) => (await api(owner).get(`${root}?${query}`)).body.count;
    // 00:30 in Rome on the 29th, the day on which daylight saving time begins.
    await setCreatedAt('2026-03-28T23:30:00Z');
    expect(await countFor('start_date=29/03/2026&end_date=29/03/2026&timezone=Europe/Rome')).to.equal(1);
    expect(await countFor('start_date=29/03/2026&end_date=29/03/2026')).to.equal(0);
    expect(await countFor('end_date=28/03/2026')).to.equal(1);
    expect(
      await countFor('start_date_time=28/03/2026 23:30:00&end_date_time=28/03/2026 23:30:00'.replaceAll(' ', '%20')),
    ).to.equal(1);
    for (const wrong of [
      'start_date=31/02/2026',
      'start_date=2026-01-01',
      'start_date=01/01/2026&timezone=Europe/Atlantis',
    ])
      expect((await api(owner).get(`${root}?${wrong}`)).status, wrong).to.equal(422);
  });

  it('an agent sees the conversations that could have been assigned to that agent, and those that the agent has joined', async () => {
    const { agent, root, one, owner, project } = await aConversation();
    const late = await aTeammate(project.id, 'agent');
    const countVisible = async (caller: typeof agent) => (await api(caller).get(root)).body.count;
    expect([await countVisible(agent), await countVisible(late)]).to.deep.equal([1, 0]);
    await api(owner).post(`${one}/participants`, { member: late.id });
    expect(await countVisible(late)).to.equal(1);
  });
});
