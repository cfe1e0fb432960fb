import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { newId } from '#shared/context.ts';
import { initCursors } from '#shared/domain/events/listeners.ts';
import { Conversation } from '#shared/models/conversation.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { api } from '../support/api.ts';
import { useEmptyDatabase } from '../support/fleet-database.ts';
import { aProject } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

describe('Deletion of a department', () => {
  useEmptyDatabase();
  before(() => initCursors());

  it('open conversations of a deleted department move to the default department, where unassigned ones are assigned', async () => {
    const { project, owner, admin, agent, guest } = await aProject();
    const root = `/v3/${project.id}`;
    const departments = `${root}/departments`;
    const { body: sales } = await api(admin).post(departments, { name: 'Sales', routing: 'pooled' });
    const { body: home } = await api(admin).get(`${departments}/default`);
    const open = async (department: string) => {
      const one = `${root}/requests/${randomUUID()}`;
      await api(guest).post(`${one}/messages`, { text: 'Hi', department });
      return one;
    };
    const [waiting, served, closed] = [await open(sales._id), await open(sales._id), await open(sales._id)];
    await api(owner).post(`${served}/participants`, { member: agent.id });
    await api(owner).put(`${closed}/close`, {});
    await api(admin).delete(`${departments}/${sales._id}`);
    for (const _ of ['conversations are moved', 'waiting conversations are assigned']) {
      await runJobsOnEvents(project.id);
    }
    const read = async (one: string) => (await api(owner).get(one)).body;
    const moved = await read(waiting);
    expect(moved).to.include({ department: home._id, status: 200 });
    expect(moved.participants).to.have.length(1);
    expect(moved.snapshot.department).to.include({ _id: home._id, name: home.name });
    expect(await read(served)).to.deep.include({ department: home._id, status: 200, participants: [agent.id] });
    expect(await read(closed)).to.include({ department: sales._id, status: 1000 });
  });

  it('a conversation that was opened in a department while the department was being deleted moves to the default department', async () => {
    const { project, owner, admin, guest } = await aProject();
    const root = `/v3/${project.id}`;
    const one = `${root}/requests/${randomUUID()}`;
    await ProjectUser.updateMany({ id_project: project.id }, { $set: { user_available: false } });
    await api(guest).post(`${one}/messages`, { text: 'Hi' });
    await Conversation.updateOne({ id_project: project.id }, { $set: { department: newId() } });
    await ProjectUser.updateMany({ id_project: project.id }, { $set: { user_available: true } });
    await enqueue('maintenance.sweep-waiting', {});
    await runJobsOnEvents(project.id);
    const { body: home } = await api(admin).get(`${root}/departments/default`);
    expect((await api(owner).get(one)).body).to.include({ status: 200, department: home._id });
  });
});
