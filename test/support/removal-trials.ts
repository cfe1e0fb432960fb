/** Trials of removals that are killed half way; each ends with nothing left of the project, and all of its neighbour. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { remove } from '#shared/domain/projects/project-removal.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectRemoval } from '#shared/models/project-removal.ts';
import { countCollections, fillCollections, noneOf } from './belongings.ts';
import type { Fleet, Member } from './fleet.ts';
import { aProject } from './people.ts';
import { until } from './until.ts';

const SLOWEST_S = 120;

const removedOf = async (id: string): Promise<number> => {
  const removal = await ProjectRemoval.findOne({ _id: id }, { removed: 1 }).lean();
  return Object.values((removal?.removed ?? {}) as Record<string, number>).reduce((sum, count) => sum + count, 0);
};

const isFinished = async (id: string) =>
  Boolean(await ProjectRemoval.exists({ _id: id, finishedAt: { $exists: true } }));

/** Kill the worker as soon as it has removed more than before, but not all; whether it was caught at it. */
const killAtWork = async (fleet: Fleet, worker: Member, id: string): Promise<{ worker: Member; caught: boolean }> => {
  const before = await removedOf(id);
  await until(async () => (await removedOf(id)) > before || (await isFinished(id)), SLOWEST_S);
  await sleep(Math.random() * 50);
  await worker.end('SIGKILL');
  const caught = !(await isFinished(id));
  return { worker: await fleet.worker(), caught };
};

/** Remove a project with `each` records in every collection while its worker is killed so often; the kills that caught it at work. */
export const underRemoval = async (fleet: Fleet, { kills, each }: { kills: number; each: number }): Promise<number> => {
  const [{ project, owner }, neighbour] = await Promise.all([aProject(), aProject()]);
  await Promise.all([fillCollections(project.id, each), fillCollections(neighbour.project.id, 3)]);
  const [before, beside] = [await countCollections(project.id), await countCollections(neighbour.project.id)];
  let worker = await fleet.worker();
  await remove(project.id, owner.id);
  let caught = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const killed = await killAtWork(fleet, worker, project.id);
    worker = killed.worker;
    if (killed.caught) caught += 1;
  }
  await until(() => isFinished(project.id), SLOWEST_S);
  await worker.end('SIGTERM');
  expect(await countCollections(project.id)).to.deep.equal(noneOf(before));
  expect(await Project.exists({ _id: project.id })).to.equal(null);
  // But for the log, into which its own beginning may still have been written.
  const { changes: _, ...unmoved } = beside;
  expect(await countCollections(neighbour.project.id)).to.deep.include(unmoved);
  return caught;
};
