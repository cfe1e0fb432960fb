import { expect } from 'chai';
import { findDueRemovals } from '#shared/domain/projects/project-removal.ts';
import { Change } from '#shared/models/change.ts';
import { Department } from '#shared/models/department.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectRemoval } from '#shared/models/project-removal.ts';
import { enqueue } from '#shared/queue/queue.ts';
import { api } from '../support/api.ts';
import { waitForRelay } from '../support/changes-log.ts';
import { countCollections, countIndex, fillCollections, fillIndex, zeroCounts } from '../support/full-project.ts';
import { aProject } from '../support/people.ts';
import { startRelayOnce } from '../support/relay.ts';
import { runJobs } from '../support/run-jobs.ts';

const RECORDS_PER_COLLECTION = 3;
const projectPath = (id: string, more = '') => `/v3/projects/${id}${more}`;

const aFullProject = async () => {
  const fixture = await aProject();
  const [filled] = await Promise.all([
    fillCollections(fixture.project.id, RECORDS_PER_COLLECTION),
    fillIndex(fixture.project.id),
  ]);
  return { ...fixture, filled };
};

const finishRemoval = async (id: string) => {
  await ProjectRemoval.updateOne({ _id: id }, { quiescentAt: new Date(), nextSweepAt: new Date() });
  await enqueue('maintenance.sweep-removals', {});
  await runJobs();
};

describe('Project removal', () => {
  before(startRelayOnce);

  it('removing a project deletes all its records and indexed chunks, and no record or chunk of another project', async () => {
    const [fixture, other] = await Promise.all([aFullProject(), aFullProject()]);
    const { id } = fixture.project;
    await waitForRelay();
    const [before, otherCounts] = [await countCollections(id), await countCollections(other.project.id)];
    for (const [name, count] of Object.entries(before))
      expect(count, name).to.be.at.least(fixture.filled[name] as number);

    const removal = await api(fixture.owner).delete(projectPath(id, '/physical'));
    expect(removal.body)
      .to.include({ _id: id, name: 'Project', requestedBy: fixture.owner.id })
      .and.not.have.property('finishedAt');
    expect((await api(fixture.owner).get(projectPath(id))).status).to.be.oneOf([403, 404]);
    await waitForRelay();
    const changeCount = await Change.countDocuments({ id_project: id });
    expect(await Change.exists({ id_project: id, event: 'project.delete' })).to.not.equal(null);
    await runJobs();

    expect(await countCollections(id)).to.deep.equal(zeroCounts(before));
    expect(await countIndex(id)).to.equal(0);
    expect(await Project.exists({ _id: id })).to.equal(null);
    expect(await countCollections(other.project.id)).to.deep.equal(otherCounts);
    expect(await countIndex(other.project.id)).to.equal(2);
    const report = await api(fixture.owner).get(projectPath(id, '/removal'));
    expect(report.body.finishedAt).to.be.a('string');
    // The event of the removal has added one record to the outbox and one to the changes log.
    expect(report.body.removed).to.deep.equal({
      ...before,
      outbox: (before.outbox ?? 0) + 1,
      changes: changeCount,
      projects: 1,
    });
    expect((await api(other.owner).get(projectPath(id, '/removal'))).status).to.equal(403);
    await api(other.owner).delete(projectPath(other.project.id, '/physical'));
    await runJobs();
  });

  it('a second sweep of a removed project deletes records that were written after the first sweep', async () => {
    const { project, owner } = await aProject();
    await api(owner).delete(projectPath(project.id, '/physical'));
    await waitForRelay();
    await runJobs();
    await Promise.all([
      Department.create([{ id_project: project.id, name: 'Late', createdBy: 'a worker' }]),
      fillIndex(project.id),
    ]);
    await finishRemoval(project.id);
    expect(await Department.countDocuments({ id_project: project.id })).to.equal(0);
    expect(await countIndex(project.id)).to.equal(0);
    expect(await findDueRemovals()).to.not.include(project.id);
    expect((await api(owner).get(projectPath(project.id, '/removal'))).body.removed.departments).to.equal(2);
  });

  it('only the owner can remove a project, and closing it deletes no records', async () => {
    const { project, owner, admin } = await aProject();
    expect((await api(admin).delete(projectPath(project.id, '/physical'))).status).to.equal(403);
    await api(owner).delete(projectPath(project.id));
    await runJobs();
    expect(await Department.countDocuments({ id_project: project.id }), 'closed').to.equal(1);
    expect((await api(owner).delete(projectPath(project.id, '/physical'))).status).to.equal(200);
    await runJobs();
    expect(await Department.countDocuments({ id_project: project.id }), 'removed').to.equal(0);
    await waitForRelay();
    expect((await api(owner).delete(projectPath(project.id, '/physical'))).status).to.be.oneOf([403, 404]);
  });
});
