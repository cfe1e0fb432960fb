import { expect } from 'chai';
import { removalsDue } from '#shared/domain/projects/project-removal.ts';
import { Change } from '#shared/models/change.ts';
import { Department } from '#shared/models/department.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectRemoval } from '#shared/models/project-removal.ts';
import { enqueue } from '#shared/queue.ts';
import { api } from '../support/api.ts';
import { countCollections, countIndex, fillCollections, fillIndex, noneOf } from '../support/belongings.ts';
import { caughtUp } from '../support/changes.ts';
import { aProject } from '../support/people.ts';
import { relaying } from '../support/relay.ts';
import { runJobs } from '../support/run-jobs.ts';

const EACH = 3;
const at = (id: string, more = '') => `/v3/projects/${id}${more}`;

const aFullProject = async () => {
  const world = await aProject();
  const [filled] = await Promise.all([fillCollections(world.project.id, EACH), fillIndex(world.project.id)]);
  return { ...world, filled };
};

const settled = async (id: string) => {
  await ProjectRemoval.updateOne({ _id: id }, { quiet: new Date(), due: new Date() });
  await enqueue('upkeep.sweep-removals', {});
  await runJobs();
};

describe('A project that is removed', () => {
  before(relaying);

  it('goes with every record and passage, and nothing of any other does', async () => {
    const [world, other] = await Promise.all([aFullProject(), aFullProject()]);
    const { id } = world.project;
    await caughtUp();
    const [before, neighbours] = [await countCollections(id), await countCollections(other.project.id)];
    for (const [name, count] of Object.entries(before))
      expect(count, name).to.be.at.least(world.filled[name] as number);

    const asked = await api(world.owner).delete(at(id, '/physical'));
    expect(asked.body)
      .to.include({ _id: id, name: 'Project', requestedBy: world.owner.id })
      .and.not.have.property('finishedAt');
    expect((await api(world.owner).get(at(id))).status).to.be.oneOf([403, 404]);
    await caughtUp();
    const told = await Change.countDocuments({ id_project: id });
    expect(await Change.exists({ id_project: id, event: 'project.delete' })).to.not.equal(null);
    await runJobs();

    expect(await countCollections(id)).to.deep.equal(noneOf(before));
    expect(await countIndex(id)).to.equal(0);
    expect(await Project.exists({ _id: id })).to.equal(null);
    expect(await countCollections(other.project.id)).to.deep.equal(neighbours);
    expect(await countIndex(other.project.id)).to.equal(2);
    const report = await api(world.owner).get(at(id, '/removal'));
    expect(report.body.finishedAt).to.be.a('string');
    // The end was told in the meantime, by a record of the outbox and one of the changes log.
    expect(report.body.removed).to.deep.equal({
      ...before,
      outbox: (before.outbox ?? 0) + 1,
      changes: told,
      projects: 1,
    });
    expect((await api(other.owner).get(at(id, '/removal'))).status).to.equal(403);
    await api(other.owner).delete(at(other.project.id, '/physical'));
    await runJobs();
  });

  it('is looked at once more when nobody can write any of it: what came late goes too', async () => {
    const { project, owner } = await aProject();
    await api(owner).delete(at(project.id, '/physical'));
    await caughtUp();
    await runJobs();
    await Promise.all([
      Department.create([{ id_project: project.id, name: 'Late', createdBy: 'a worker' }]),
      fillIndex(project.id),
    ]);
    await settled(project.id);
    expect(await Department.countDocuments({ id_project: project.id })).to.equal(0);
    expect(await countIndex(project.id)).to.equal(0);
    expect(await removalsDue()).to.not.include(project.id);
    expect((await api(owner).get(at(project.id, '/removal'))).body.removed.departments).to.equal(2);
  });

  it('is removed by its owner alone, and only when asked for', async () => {
    const { project, owner, admin } = await aProject();
    expect((await api(admin).delete(at(project.id, '/physical'))).status).to.equal(403);
    await api(owner).delete(at(project.id));
    await runJobs();
    expect(await Department.countDocuments({ id_project: project.id }), 'closed').to.equal(1);
    expect((await api(owner).delete(at(project.id, '/physical'))).status).to.equal(200);
    await runJobs();
    expect(await Department.countDocuments({ id_project: project.id }), 'removed').to.equal(0);
    await caughtUp();
    expect((await api(owner).delete(at(project.id, '/physical'))).status).to.be.oneOf([403, 404]);
  });
});
