/** Trials of an import while processes are killed, paused and stopped; each ends with expectations. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CONTENT_STATUS, KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { type FleetFixture, SECTIONS_PER_PAGE, SLOW_WORD, times } from './fleet-fixture.ts';
import { countContentsWith, expectChunksConsistent, isSettled } from './fleet-knowledge.ts';
import { countByStatus } from './knowledge.ts';
import { sectionMark } from './numbered-pages.ts';
import { aRetryingImport, type RetryingClient } from './retrying-clients.ts';
import { random } from './seeded-random.ts';
import { waitUntil } from './wait-until.ts';

const MAX_PAUSE_MS = 900;
const MAX_GAP_MS = 200;
const CLIENTS = 4;

const repeatAtRandomMoments = async (count: number, kill: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    await sleep(random() * MAX_PAUSE_MS);
    await kill();
  }
};

/** How often a worker and the API are killed, the delay of the site, and the minimum of waiting pages. */
interface Kills {
  kills: number;
  delayMs: number;
  waiting: number;
}

interface AddedContents {
  /** Ids of contents that were accepted. */
  notes: string[];
  pages: string[];
  namespaces: number;
}

interface Feeding {
  morePages(): string[];
  isStopped(): boolean;
  /** Whether so few pages of the project wait that more should be added. */
  isHungry(waiting: number): boolean;
}

/** Adds texts and namespaces, and pages whenever few wait, until `isStopped`. */
const addContents = async (client: RetryingClient, fed: AddedContents, { morePages, isStopped, isHungry }: Feeding) => {
  while (!isStopped()) {
    fed.notes.push(await client.addNote(`note ${randomUUID()}`));
    await client.addNamespace(`namespace ${fed.namespaces}`);
    fed.namespaces += 1;
    const waiting = await KbContent.countDocuments({ id_project: client.id, status: { $lt: CONTENT_STATUS.indexed } });
    if (isHungry(waiting)) fed.pages.push(...(await client.addPages(morePages())));
    await sleep(random() * MAX_GAP_MS);
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

/** Kills a worker and the API repeatedly while clients add contents; nothing is lost or duplicated. */
export const importUnderKills = async (stage: FleetFixture, { kills, delayMs, waiting }: Kills) => {
  let [lot, over] = [0, false];
  const morePages = () => stage.site.addPages(`kill${lot++}`, waiting * 2, { delayMs });
  const client = await aRetryingImport(stage, morePages());
  const fed: AddedContents = { notes: [], pages: client.accepted, namespaces: 0 };
  const feeding = times(CLIENTS, () =>
    addContents(client, fed, { morePages, isStopped: () => over, isHungry: (few) => few < waiting }),
  );
  await Promise.all([
    Promise.all(feeding),
    Promise.all([repeatAtRandomMoments(kills, stage.killWorker), repeatAtRandomMoments(kills, stage.killApi)]).then(
      () => {
        over = true;
      },
    ),
  ]);
  await waitUntil(() => isSettled(client.id), 60);
  await expectAllIndexed(stage, client.id, fed);
  return { pages: fed.pages.length, notes: fed.notes.length, namespaces: fed.namespaces };
};

/** Stops a worker in the middle of an import: it exits with 0, and no page is fetched twice. */
export const importThroughRestart = async (stage: FleetFixture, name: string): Promise<void> => {
  const { fleet, site, workers } = stage;
  const { id } = await aRetryingImport(stage, site.addPages(name, 40, { delayMs: 300 }));
  await waitUntil(() => site.hitsOf(name).length > 10);
  const [leaving] = workers;
  workers[0] = await fleet.worker();
  expect(await leaving.end('SIGTERM')).to.equal(0);
  await waitUntil(() => isSettled(id), 30);
  expect(site.hitsOf(name)).to.deep.equal(times(40, () => 1));
  await expectChunksConsistent(fleet, id);
};

/** Pauses a worker until another one has done its work, and resumes it: nothing that it then writes remains. */
export const importThroughPause = async (stage: FleetFixture, name: string): Promise<void> => {
  const { fleet, provider, site, workers } = stage;
  const [one, two] = workers;
  two.signal('SIGSTOP');
  const { id } = await aRetryingImport(stage, site.addPages(`${SLOW_WORD}${name}`, 8));
  await waitUntil(() => provider.openCalls() > 0);
  await sleep(random() * MAX_PAUSE_MS);
  one.signal('SIGSTOP');
  two.signal('SIGCONT');
  await waitUntil(() => isSettled(id), 30);
  one.signal('SIGCONT');
  expect(await one.end('SIGTERM')).to.equal(0);
  await waitUntil(() => isSettled(id), 30);
  expect(await expectChunksConsistent(fleet, id)).to.equal(8 * SECTIONS_PER_PAGE);
  workers[0] = await fleet.worker();
};
