import { expect } from 'chai';
import { begin, nudge } from '#shared/domain/events/listeners.ts';
import { Activity } from '#shared/models/activity.ts';
import { RequestChange } from '#shared/models/request-change.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aConversation } from '../support/conversations.ts';
import { aProject, aTeammate } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';
import noteDeed from '../../workers/events/note-deed.ts';
import { hear } from '../../workers/steps/hear.ts';

/** Everything that was told of the project is written down, as a worker does it that hears it. */
const noted = async (project: string): Promise<void> => {
  for (const { _id: id, event, record, position } of await changes(project)) {
    const ref = { id, id_project: project, event, record: String(record), position };
    await hear({ name: 'events.note-deed', on: [], attempts: 1, work: noteDeed }, ref);
  }
};

const activitiesOf = (project: { id: string }) => `/v3/${project.id}/activities`;

describe('What is done with a conversation', () => {
  it('is told to admins by verb, with who did it, who else is concerned, and a sentence', async () => {
    const { project, owner, admin, agent, one, read } = await aConversation();
    const { ticket_id, _id } = await read();
    await api(owner).post(`${one}/participants`, { member: agent.id });
    await api(owner).delete(`${one}/participants/${agent.id}`);
    await api(owner).put(`${one}/close`, {});
    await noted(project.id);
    const { body } = await api(admin).get(`${activitiesOf(project)}?direction=1`);
    expect(body).to.include({ perPage: 40, count: body.activities.length });
    const said = body.activities.map(({ verb, message }: { verb: string; message: string }) => [verb, message]);
    expect(said).to.deep.include.members([
      ['REQUEST_ASSIGNED_MANUAL', `Ann Lee gave conversation #${ticket_id} to Ann Lee`],
      ['LEAVE_CONVERSATION', `Ann Lee left conversation #${ticket_id}`],
      ['REQUEST_CLOSE', `Ann Lee closed conversation #${ticket_id}`],
    ]);
    expect(Object.fromEntries(said).REQUEST_CREATE).to.match(new RegExp(`^guest#.+ began conversation #${ticket_id}$`));
    const closed = body.activities.at(-1);
    expect(closed.actor).to.deep.equal({ type: 'user', id: owner.id, name: 'Ann Lee' });
    expect(closed.target).to.include({ type: 'request', id: _id });
    expect(closed.target.object).to.include({ ticket_id });
    expect(closed.involvedUserIds).to.include(owner.id);
    const given = body.activities.find(({ verb }: { verb: string }) => verb === 'REQUEST_ASSIGNED_MANUAL');
    expect(given.related).to.deep.equal({ role: 'assignee', type: 'user', id: agent.id, name: 'Ann Lee' });
  });

  it('is not told while nobody has really written', async () => {
    const { project, owner, guest, post } = await aConversation({ text: 'start', preflight: true });
    await post(owner, { text: 'Hello?' });
    const begun = async () => {
      await noted(project.id);
      return (await api(owner).get(`${activitiesOf(project)}?activities=REQUEST_CREATE`)).body.count;
    };
    expect(await begun()).to.equal(0);
    await post(guest, { text: 'Where is my order?' });
    await post(guest, { text: 'And when does it come?' });
    expect(await begun()).to.equal(1);
  });

  it('is written down by the workers once, however often the events are heard', async () => {
    await begin();
    const { project, owner, one } = await aConversation();
    await api(owner).put(`${one}/close`, {});
    const told = await changes(project.id);
    await nudge(told.map(({ event }) => event));
    await runJobsOnEvents();
    const count = () => Promise.all([Activity, RequestChange].map((model) => countIn(model, project.id)));
    const before = await count();
    expect(Math.min(...before)).to.be.at.least(2);
    await noted(project.id);
    expect(await count()).to.deep.equal(before);
  });
});

const countIn = (model: typeof Activity | typeof RequestChange, id_project: string): Promise<number> =>
  (model as typeof Activity).countDocuments({ id_project });

describe('What is done with teammates', () => {
  it('is told: an invitation, a change by another, who is there now, a removal', async () => {
    const { project, owner, agent } = await aProject();
    const root = `/v3/${project.id}/project_users`;
    const { body: members } = await api(owner).get(root);
    const { _id } = members.find(({ id_user }: { id_user: { _id: string } }) => id_user._id === agent.id);
    await api(owner).post(`${root}/invite`, { email: 'new@example.com', role: 'agent', user_available: true });
    await api(agent).put(root, { user_available: false });
    await api(owner).put(`${root}/${_id}`, { user_available: true, max_assigned_chat: 3 });
    await api(owner).delete(`${root}/${_id}?soft=true`);
    await noted(project.id);
    const { body } = await api(owner).get(`${activitiesOf(project)}?direction=1`);
    const said = body.activities.map(({ verb, message }: { verb: string; message: string }) => `${verb}: ${message}`);
    expect(said).to.deep.equal([
      'PROJECT_USER_INVITE: Ann Lee invited new@example.com as agent',
      'PROJECT_USER_AVAILABILITY_SELF: Ann Lee is unavailable now',
      'PROJECT_USER_UPDATE: Ann Lee changed the membership of Ann Lee',
      'PROJECT_USER_DELETE: Ann Lee removed Ann Lee from the team',
    ]);
  });
});

describe('What is done with knowledge bases', () => {
  it('is told: one that is added, one that is removed, and what is taken out', async () => {
    const { project, admin } = await aProject();
    const root = `/v3/${project.id}/kb`;
    const { body: base } = await api(admin).post(`${root}/namespace`, { name: 'Manuals' });
    const content = {
      namespace: project.id,
      type: 'text',
      name: 'Opening hours',
      source: 'hours',
      content: 'At nine.',
    };
    const { body: added } = await api(admin).post(root, content);
    await api(admin).delete(`${root}/${(added.value ?? added)._id}`);
    await api(admin).delete(`${root}/namespace/${base.id}`);
    await noted(project.id);
    const { body } = await api(admin).get(`${activitiesOf(project)}?direction=1`);
    const said = body.activities.map(({ message, target }: { message: string; target: { type: string } }) => [
      target.type,
      message,
    ]);
    expect(said).to.deep.include.members([
      ['kb_namespace', 'Ann Lee added the knowledge base Manuals'],
      ['kb_content', 'Ann Lee removed Opening hours from a knowledge base'],
      ['kb_namespace', 'Ann Lee removed the knowledge base Manuals'],
    ]);
  });
});

describe('Activities', () => {
  it('are found by user, by verb and by day, and a page is as long as the contract allows', async () => {
    const { project, owner, guest, one } = await aConversation();
    const stranger = await aTeammate(project.id, 'agent');
    await api(owner).put(`${one}/close`, {});
    await noted(project.id);
    const root = activitiesOf(project);
    const get = async (query: string) => (await api(owner).get(`${root}?${query}`)).body;
    expect((await get(`agent_id=${stranger.id}`)).count).to.equal(0);
    expect((await get(`agent_id=${owner.id}`)).count).to.be.at.least(1);
    expect((await get('activities=REQUEST_CLOSE')).activities.map(({ verb }: { verb: string }) => verb)).to.deep.equal([
      'REQUEST_CLOSE',
    ]);
    const today = new Date().toISOString().slice(0, 10).split('-').toReversed().join('/');
    expect((await get(`start_date=${today}&end_date=${today}`)).count).to.be.at.least(2);
    expect((await get('start_date=01/01/2020&end_date=02/01/2020')).count).to.equal(0);
    expect(await get('limit=500'))
      .to.include({ perPage: 100 })
      .and.to.have.property('limitWarning');
    expect(await get('limit=500&chart=true')).to.include({ perPage: 500, chart: true });
    expect((await api(owner).get(`${root}?agent_id=nobody`)).status).to.equal(422);
    expect((await api(guest).get(root)).status).to.equal(403);
  });

  it('are a table too, with the columns of the contract, in Italian where that is asked for', async () => {
    const { project, owner, one, read } = await aConversation();
    await api(owner).put(`${one}/close`, {});
    await noted(project.id);
    const { text, headers } = await api(owner).get(`${activitiesOf(project)}/csv?lang=it&activities=REQUEST_CLOSE`);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
    expect(headers['content-disposition']).to.equal('attachment; filename="activities.csv"');
    const [header, row = '', end] = text.split('\n');
    expect(header).to.equal(
      'message;activity_id;createdAt;updatedAt;project_id;actor_name;actor_id;actor_type;verb;target_user_fullname;' +
        'target_email;target_type;target_user_id;actionObj_email;actionObj_id_project;actionObj_project_name;' +
        'actionObj_role;actionObj_user_available;target_id;target_createdAt;target_createdBy;target_role;' +
        'target_user_available',
    );
    expect(row).to.match(new RegExp(`^Ann Lee ha chiuso la conversazione #${(await read()).ticket_id};[0-9a-f]{24};`));
    expect(end).to.equal('');
  });
});

describe('The history of a conversation', () => {
  it('tells every change with who made it, before and after, the oldest first', async () => {
    const { project, owner, agent, guest, one } = await aConversation();
    await api(owner).post(`${one}/participants`, { member: agent.id });
    await api(owner).put(`${one}/close`, {});
    await noted(project.id);
    const { body } = await api(agent).get(`${one}/history`);
    expect(body).to.include({ perPage: 40, count: body.history.length });
    const [created, assigned, ...rest] = body.history;
    expect(created).to.deep.include({ comment: 'CREATE', previous: {}, current: {} });
    expect(created.actor).to.include({ type: 'visitor', id: guest.id });
    expect(assigned).to.deep.include({ comment: 'ASSIGNED', actor: { type: 'system', id: 'system' } });
    expect(assigned.current).to.include({ assignee: owner.id, assignmentType: 'auto' });
    const added = rest.find(({ comment }: { comment: string }) => comment === 'PARTICIPANT_ADD');
    expect(added.actor).to.deep.equal({ type: 'user', id: owner.id, name: 'Ann Lee' });
    expect(added.previous.participants).to.deep.equal([owner.id]);
    expect(added.current.participants).to.deep.equal([owner.id, agent.id]);
    expect(rest.at(-1)).to.deep.include({ comment: 'STATUS_CHANGE' });
    expect(rest.at(-1).current).to.include({ status: 1000, closed_by: owner.id });
    const second = (await api(owner).get(`${one}/history?page=1&limit=1`)).body;
    expect(second.history).to.deep.equal([assigned]);
    expect((await api(guest).get(`${one}/history`)).status).to.equal(403);
  });

  it('tells of a long list only what came and went, and of attributes which', async () => {
    const { project, owner, one } = await aConversation({ text: 'Hi', attributes: { plan: 'free' } });
    for (const text of ['First', 'Second']) await api(owner).post(`${one}/notes`, { text });
    await api(owner).patch(`${one}/attributes`, { plan: 'gold' });
    await noted(project.id);
    const { history } = (await api(owner).get(`${one}/history`)).body;
    const last = (comment: string) => history.findLast((change: { comment: string }) => change.comment === comment);
    const { previous, current } = last('NOTE_ADD');
    expect(previous.notes).to.deep.equal([]);
    expect(current.notes.map(({ text }: { text: string }) => text)).to.deep.equal(['Second']);
    expect(last('ATTRIBUTES_PATCH').previous.attributes).to.deep.equal({ plan: 'free' });
    expect(last('ATTRIBUTES_PATCH').current.attributes).to.deep.equal({ plan: 'gold' });
  });

  it('goes with the conversation', async () => {
    const { project, owner, one } = await aConversation();
    await noted(project.id);
    expect(await countIn(RequestChange, project.id)).to.be.at.least(1);
    expect((await api(owner).delete(one)).status).to.equal(200);
    await noted(project.id);
    expect(await countIn(RequestChange, project.id)).to.equal(0);
  });

  it("is another project's secret", async () => {
    const [{ one }, { owner, root }] = await Promise.all([aConversation(), aConversation()]);
    expect((await api(owner).get(`${one}/history`)).status).to.equal(403);
    expect((await api(owner).get(`${root}/${one.split('/').at(-1)}/history`)).status).to.equal(404);
  });
});
