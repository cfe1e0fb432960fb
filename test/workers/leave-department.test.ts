import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { begin, nudge } from '#shared/domain/events/listeners.ts';
import { newId } from '#shared/context.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { Request } from '#shared/models/request.ts';
import { enqueue } from '#shared/queue.ts';
import { api } from '../support/api.ts';
import { changes } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { runJobsOnEvents } from '../support/run-jobs.ts';

describe('A department that is deleted', () => {
  before(() => begin());

  it('leaves its open conversations to the default one: with whoever serves them, or to be served there', async () => {
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
    for (const _ of ['they are moved', 'those who wait are served']) {
      await nudge((await changes(project.id)).map(({ event }) => event));
      await runJobsOnEvents();
    }
    const read = async (one: string) => (await api(owner).get(one)).body;
    const found = await read(waiting);
    expect(found).to.include({ department: home._id, status: 200 });
    expect(found.participants).to.have.length(1);
    expect(found.snapshot.department).to.include({ _id: home._id, name: home.name });
    expect(await read(served)).to.deep.include({ department: home._id, status: 200, participants: [agent.id] });
    expect(await read(closed)).to.include({ department: sales._id, status: 1000 });
  });

  it('leaves to it what was being opened meanwhile, too', async () => {
    const { project, owner, admin, guest } = await aProject();
    const root = `/v3/${project.id}`;
    const one = `${root}/requests/${randomUUID()}`;
    await ProjectUser.updateMany({ id_project: project.id }, { $set: { user_available: false } });
    await api(guest).post(`${one}/messages`, { text: 'Hi' });
    await Request.updateOne({ id_project: project.id }, { $set: { department: newId() } });
    await ProjectUser.updateMany({ id_project: project.id }, { $set: { user_available: true } });
    await enqueue('upkeep.sweep-lines', {});
    await runJobsOnEvents();
    const { body: home } = await api(admin).get(`${root}/departments/default`);
    expect((await api(owner).get(one)).body).to.include({ status: 200, department: home._id });
  });
});
