import { expect } from 'chai';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { Activity } from '#shared/models/activity.ts';
import { ConversationChange } from '#shared/models/conversation-change.ts';
import { recordActivities } from '../support/activities.ts';
import { api } from '../support/api.ts';
import { aConversation } from '../support/conversations.ts';
import { aTeammate } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

const activitiesOf = (project: { id: string }) => `/v3/${project.id}/activities`;

describe('Activities of conversations', () => {
  it('each activity of a conversation has a verb, an actor, a sentence and, if it is an assignment, the related teammate', async () => {
    const { project, owner, admin, agent, one, read } = await aConversation();
    const { ticket_id, _id } = await read();
    await api(owner).post(`${one}/participants`, { member: agent.id });
    await api(owner).delete(`${one}/participants/${agent.id}`);
    await api(owner).put(`${one}/close`, {});
    await recordActivities(project.id);
    const { body } = await api(admin).get(`${activitiesOf(project)}?direction=1`);
    expect(body).to.include({ perPage: 40, count: body.activities.length });
    const sentences = body.activities.map(({ verb, message }: { verb: string; message: string }) => [verb, message]);
    expect(sentences).to.deep.include.members([
      ['REQUEST_ASSIGNED_MANUAL', `Ann Lee assigned conversation #${ticket_id} to Ann Lee`],
      ['LEAVE_CONVERSATION', `Ann Lee left conversation #${ticket_id}`],
      ['REQUEST_CLOSE', `Ann Lee closed conversation #${ticket_id}`],
    ]);
    expect(Object.fromEntries(sentences).REQUEST_CREATE).to.match(
      new RegExp(`^guest#.+ started conversation #${ticket_id}$`),
    );
    const closed = body.activities.at(-1);
    expect(closed.actor).to.deep.equal({ type: 'user', id: owner.id, name: 'Ann Lee' });
    expect(closed.target).to.include({ type: 'request', id: _id });
    expect(closed.target.object).to.include({ ticket_id });
    expect(closed.involvedUserIds).to.include(owner.id);
    const assignment = body.activities.find(({ verb }: { verb: string }) => verb === 'REQUEST_ASSIGNED_MANUAL');
    expect(assignment.related).to.deep.equal({ role: 'assignee', type: 'user', id: agent.id, name: 'Ann Lee' });
  });

  it('a preflight conversation has one REQUEST_CREATE activity, recorded at the end of the preflight', async () => {
    const { project, owner, guest, post } = await aConversation({ text: 'start', preflight: true });
    await post(owner, { text: 'Hello?' });
    const countOpened = async () => {
      await recordActivities(project.id);
      return (await api(owner).get(`${activitiesOf(project)}?activities=REQUEST_CREATE`)).body.count;
    };
    expect(await countOpened()).to.equal(0);
    await post(guest, { text: 'Where is my order?' });
    await post(guest, { text: 'And when does it come?' });
    expect(await countOpened()).to.equal(1);
  });

  it('workers record each activity and each history entry once, even if its event is handled twice', async () => {
    await initCursors();
    const { project, owner, one } = await aConversation();
    await api(owner).put(`${one}/close`, {});
    await runJobsOnEvents(project.id);
    const count = () => Promise.all([Activity, ConversationChange].map((model) => countIn(model, project.id)));
    const before = await count();
    expect(Math.min(...before)).to.be.at.least(2);
    await recordActivities(project.id);
    expect(await count()).to.deep.equal(before);
  });
});

const countIn = (model: typeof Activity | typeof ConversationChange, id_project: string): Promise<number> =>
  (model as typeof Activity).countDocuments({ id_project });

describe('List of activities', () => {
  it('activities can be filtered by teammate, verb and day, with at most 100 per page, or 500 with chart=true', async () => {
    const { project, owner, guest, one } = await aConversation();
    const stranger = await aTeammate(project.id, 'agent');
    await api(owner).put(`${one}/close`, {});
    await recordActivities(project.id);
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
    expect((await get('start_date=01/01/2020&end_date=31/12/9999')).count).to.be.at.least(2);
    expect(await get('limit=500'))
      .to.include({ perPage: 100 })
      .and.to.have.property('limitWarning');
    expect(await get('limit=500&chart=true')).to.include({ perPage: 500, chart: true });
    expect((await api(owner).get(`${root}?agent_id=nobody`)).status).to.equal(422);
    expect((await api(guest).get(root)).status).to.equal(403);
  });

  it('the CSV of activities has the documented columns, and Italian sentences with lang=it', async () => {
    const { project, owner, one, read } = await aConversation();
    await api(owner).put(`${one}/close`, {});
    await recordActivities(project.id);
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

describe('Conversation history', () => {
  it('the history of a conversation lists every change with its actor and the values before and after, oldest first', async () => {
    const { project, owner, agent, guest, one } = await aConversation();
    await api(owner).post(`${one}/participants`, { member: agent.id });
    await api(owner).put(`${one}/close`, {});
    await recordActivities(project.id);
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

  it('the history of a conversation contains only the changed entries of a list, and only the changed attributes', async () => {
    const { project, owner, one } = await aConversation({ text: 'Hi', attributes: { plan: 'free' } });
    for (const text of ['First', 'Second']) await api(owner).post(`${one}/notes`, { text });
    await api(owner).patch(`${one}/attributes`, { plan: 'gold' });
    await recordActivities(project.id);
    const { history } = (await api(owner).get(`${one}/history`)).body;
    const last = (comment: string) => history.findLast((change: { comment: string }) => change.comment === comment);
    const { previous, current } = last('NOTE_ADD');
    expect(previous.notes).to.deep.equal([]);
    expect(current.notes.map(({ text }: { text: string }) => text)).to.deep.equal(['Second']);
    expect(last('ATTRIBUTES_PATCH').previous.attributes).to.deep.equal({ plan: 'free' });
    expect(last('ATTRIBUTES_PATCH').current.attributes).to.deep.equal({ plan: 'gold' });
  });

  it('the history of a conversation is deleted with the conversation', async () => {
    const { project, owner, one } = await aConversation();
    await recordActivities(project.id);
    expect(await countIn(ConversationChange, project.id)).to.be.at.least(1);
    expect((await api(owner).delete(one)).status).to.equal(200);
    await recordActivities(project.id);
    expect(await countIn(ConversationChange, project.id)).to.equal(0);
  });

  it('the history of a conversation cannot be read by the owner of another project', async () => {
    const [{ one }, { owner, root }] = await Promise.all([aConversation(), aConversation()]);
    expect((await api(owner).get(`${one}/history`)).status).to.equal(403);
    expect((await api(owner).get(`${root}/${one.split('/').at(-1)}/history`)).status).to.equal(404);
  });
});
