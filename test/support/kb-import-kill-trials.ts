/** Trials of an import while processes are killed, paused and stopped. Each trial checks its result. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { type FleetFixture, SECTIONS_PER_PAGE, SLOW_WORD, times } from './fleet-fixture.ts';
import type { Fleet, FleetProcess } from './fleet.ts';
import { countContentsWith, expectChunksConsistent, isIndexLocked, isSettled } from './fleet-knowledge.ts';
import { countByStatus } from './knowledge.ts';
import { sectionMark } from './numbered-pages.ts';
import { aRetryingImport, type RetryingClient } from './retrying-clients.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const MAX_PAUSE_MS = 900;
/** Time within which a signal reaches its process. */
const SIGNAL_MS = 10;
const CLIENTS = 4;

const repeatAtRandomMoments = async (count: number, kill: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    await sleep(random() * MAX_PAUSE_MS);
    await kill();
  }
};

/** The load of the trial; a worker and the API are killed `kills` times each. */
interface KillPlan {
  kills: number;
  /** The response time of the site. */
  delayMs: number;
  /** More pages are added when fewer than this number of contents wait to be indexed. */
  waiting: number;
  /** The longest pause of each client between two of its additions. */
  maxGapMs: number;
}

interface AddedContents {
  /** Ids of the accepted contents: texts in `notes`, web pages in `pages`. */
  notes: string[];
  pages: string[];
  namespaces: number;
}

interface FeedOptions {
  morePages(): string[];
  isStopped(): boolean;
  /** Whether more pages should be added, given the number of waiting contents. */
  isHungry(waiting: number): boolean;
  maxGapMs: number;
}

/** Adds texts and namespaces until `isStopped` returns true, and pages whenever few contents wait. */
const addContents = async (
  client: RetryingClient,
  added: AddedContents,
  { morePages, isStopped, isHungry, maxGapMs }: FeedOptions,
) => {
  while (!isStopped()) {
    added.notes.push(await client.addNote(`note ${randomUUID()}`));
    await client.addNamespace(`namespace ${added.namespaces}`);
    added.namespaces += 1;
    const waiting = await KbContent.countDocuments({ id_project: client.id, status: { $lt: CONTENT_STATUS.indexed } });
    if (isHungry(waiting)) added.pages.push(...(await client.addPages(morePages())));
    await sleep(random() * maxGapMs);
  }
};

/** Expects exactly the accepted contents, each once, in MongoDB and in the index. */
const expectAllIndexed = async (
  { fleet }: FleetFixture,
  id: string,
  { notes, pages, namespaces }: AddedContents,
): Promise<void> => {
  expect(await countByStatus(id)).to.deep.equal({ 300: notes.length + pages.length });
  const contents = await KbContent.find({ id_project: id }, { _id: 1 }).lean();
  expect(contents.map(({ _id }) => String(_id)).toSorted()).to.deep.equal([...notes, ...pages].toSorted());
  expect(await expectChunksConsistent(fleet, id)).to.equal(pages.length * SECTIONS_PER_PAGE + notes.length);
  expect(await countContentsWith(id, sectionMark('kill07', 1))).to.equal(1);
  expect(await KbNamespace.countDocuments({ id_project: id, default: false })).to.equal(namespaces);
};

/** Kills a worker and the API repeatedly while clients add contents. Expects that nothing is lost or duplicated. */
export const importUnderKills = async (fixture: FleetFixture, { kills, delayMs, waiting, maxGapMs }: KillPlan) => {
  let [batch, isStopped] = [0, false];
  const morePages = () => fixture.site.addPages(`kill${batch++}`, waiting * 2, { delayMs });
  const client = await aRetryingImport(fixture, morePages());
  const added: AddedContents = { notes: [], pages: client.accepted, namespaces: 0 };
  const feeding = times(CLIENTS, () =>
    addContents(client, added, { morePages, isStopped: () => isStopped, isHungry: (few) => few < waiting, maxGapMs }),
  );
  await Promise.all([
    Promise.all(feeding),
    Promise.all([repeatAtRandomMoments(kills, fixture.killWorker), repeatAtRandomMoments(kills, fixture.killApi)]).then(
      () => {
        isStopped = true;
      },
    ),
  ]);
  await waitUntil(() => isSettled(client.id), 60);
  await expectAllIndexed(fixture, client.id, added);
  return { pages: added.pages.length, notes: added.notes.length, namespaces: added.namespaces };
};

/** Stops a worker in the middle of an import. Expects that it exits with code 0, and that no page is fetched twice. */
export const importThroughRestart = async (fixture: FleetFixture, name: string, pages: number): Promise<void> => {
  const { fleet, site, workers, twoWorkers } = fixture;
  const [leaving] = await twoWorkers();
  const { id } = await aRetryingImport(fixture, site.addPages(name, pages, { delayMs: 300 }));
  await waitUntil(() => site.hitsOf(name).length > 10);
  workers.shift();
  expect(await leaving.end('SIGTERM')).to.equal(0);
  await waitUntil(() => isSettled(id));
  expect(site.hitsOf(name)).to.deep.equal(times(pages, () => 1));
  await expectChunksConsistent(fleet, id);
};

/**
 * Pauses a worker at a moment when no process holds a lock on the index. While a paused worker holds a lock, all other
 * workers on the host wait.
 */
const pauseWithoutLock = (fleet: Fleet, worker: FleetProcess): Promise<void> =>
  waitUntil(async () => {
    worker.signal('SIGSTOP');
    await sleep(SIGNAL_MS);
    if (!(await isIndexLocked(fleet))) return true;
    worker.signal('SIGCONT');
    return false;
  });

/**
 * Pauses a worker during an import, and resumes it when another worker has finished the import. Expects that no chunk
 * is missing or duplicated.
 */
export const importThroughPause = async (fixture: FleetFixture, name: string): Promise<void> => {
  const { fleet, provider, site, workers, twoWorkers } = fixture;
  const [one, two] = await twoWorkers();
  try {
    await pauseWithoutLock(fleet, two);
    const { id } = await aRetryingImport(fixture, site.addPages(`${SLOW_WORD}${name}`, 8));
    await waitUntil(() => provider.openCalls() > 0);
    await sleep(random() * MAX_PAUSE_MS);
    await pauseWithoutLock(fleet, one);
    two.signal('SIGCONT');
    await waitUntil(() => isSettled(id));
    one.signal('SIGCONT');
    workers.shift();
    expect(await one.end('SIGTERM')).to.equal(0);
    await waitUntil(() => isSettled(id));
    expect(await expectChunksConsistent(fleet, id)).to.equal(8 * SECTIONS_PER_PAGE);
  } finally {
    for (const worker of [one, two]) worker.signal('SIGCONT');
  }
};
