/**
 * Trials of project removals during which the worker is killed. Afterwards, nothing of the project may be left, and
 * another project must not have lost any records.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { remove } from '#shared/domain/projects/project-removal.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectRemoval } from '#shared/models/project-removal.ts';
import { countCollections, fillCollections, zeroCounts } from './full-project.ts';
import type { KillableWorker } from './killable-worker.ts';
import { aProject } from './people.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const MAX_REMOVAL_SECONDS = 120;
const POLL_MS = 5;
/** The maximum time between the removal of some records and the moment when the worker is killed. */
const MAX_WORK_MS = 50;

const countRemoved = async (id: string): Promise<number> => {
  const removal = await ProjectRemoval.findOne({ _id: id }, { removed: 1 }).lean();
  return Object.values((removal?.removed ?? {}) as Record<string, number>).reduce((sum, count) => sum + count, 0);
};

const isFinished = async (id: string) =>
  Boolean(await ProjectRemoval.exists({ _id: id, finishedAt: { $exists: true } }));

/** Kills the worker after it has removed some records, and replaces it. Returns whether the removal was unfinished. */
const killDuringRemoval = async ({ worker, killWorker }: KillableWorker, id: string): Promise<boolean> => {
  const before = await countRemoved(id);
  const end = Date.now() + MAX_REMOVAL_SECONDS * 1000;
  // Does not use waitUntil, during whose growing pauses a small project would be removed completely.
  while ((await countRemoved(id)) === before && !(await isFinished(id)) && Date.now() < end) await sleep(POLL_MS);
  await sleep(random() * MAX_WORK_MS);
  await worker().end('SIGKILL');
  const wasWorking = !(await isFinished(id));
  await killWorker();
  return wasWorking;
};

/**
 * Removes a project with `perCollection` records in every collection while the worker is killed repeatedly. Returns the
 * number of kills during the removal.
 */
export const removeProjectUnderKills = async (
  system: KillableWorker,
  { kills, perCollection }: { kills: number; perCollection: number },
): Promise<number> => {
  const [{ project, owner }, neighbour] = await Promise.all([aProject(), aProject()]);
  await Promise.all([fillCollections(project.id, perCollection), fillCollections(neighbour.project.id, 3)]);
  const [initialCounts, neighbourBefore] = [
    await countCollections(project.id),
    await countCollections(neighbour.project.id),
  ];
  await remove(project.id, owner.id);
  let interruptedCount = 0;
  for (let kill = 0; kill < kills; kill += 1) if (await killDuringRemoval(system, project.id)) interruptedCount += 1;
  await waitUntil(() => isFinished(project.id), MAX_REMOVAL_SECONDS);
  expect(await countCollections(project.id)).to.deep.equal(zeroCounts(initialCounts));
  expect(await Project.exists({ _id: project.id })).to.equal(null);
  // Counts may grow: events from the creation of the other project may have been relayed and counted meanwhile.
  const neighbourAfter = await countCollections(neighbour.project.id);
  const shrunken = Object.keys(neighbourBefore).filter((name) => neighbourAfter[name]! < neighbourBefore[name]!);
  expect(shrunken, 'collections that lost records of the other project').to.deep.equal([]);
  return interruptedCount;
};
