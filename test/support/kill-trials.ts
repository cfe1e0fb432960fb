/** Trials of an import that goes on while processes die, pause and stop; each ends with what must be true after it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { KbContent, STATUS } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { contentsWith, expectWhole, isTidy } from './fleet-knowledge.ts';
import { statuses } from './knowledge.ts';
import { markOf } from './numbered-pages.ts';
import { anImport, type Client } from './persistent.ts';
import { SECTIONS, SLOW, type Stage, times } from './stage.ts';
import { until } from './until.ts';

const MAX_PAUSE_MS = 900;
const APART_MS = 200;
const CLIENTS = 4;

const atRandomMoments = async (count: number, kill: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    await sleep(Math.random() * MAX_PAUSE_MS);
    await kill();
  }
};

/** How often a worker and the API are killed, how slow the site is, and how many pages wait at least meanwhile. */
interface Kills {
  kills: number;
  delayMs: number;
  waiting: number;
}

interface Fed {
  /** Ids of contents that were accepted. */
  notes: string[];
  pages: string[];
  namespaces: number;
}

interface Feeding {
  morePages(): string[];
  isOver(): boolean;
  /** Whether so few of the project's pages wait that more should come. */
  isHungry(waiting: number): boolean;
}

/** A client that adds texts, pages whenever few wait, and now and then a namespace, until told that it is over. */
const feed = async (client: Client, fed: Fed, { morePages, isOver, isHungry }: Feeding) => {
  while (!isOver()) {
    fed.notes.push(await client.addNote(`note ${randomUUID()}`));
    await client.addNamespace(`namespace ${fed.namespaces}`);
    fed.namespaces += 1;
    const waiting = await KbContent.countDocuments({ id_project: client.id, status: { $lt: STATUS.indexed } });
    if (isHungry(waiting)) fed.pages.push(...(await client.addPages(morePages())));
    await sleep(Math.random() * APART_MS);
  }
};

/** Everything that was accepted is there once, on every level, and nothing else. */
const expectAll = async ({ fleet }: Stage, id: string, { notes, pages, namespaces }: Fed): Promise<void> => {
  expect(await statuses(id)).to.deep.equal({ 300: notes.length + pages.length });
  const contents = await KbContent.find({ id_project: id }, { _id: 1 }).lean();
  expect(contents.map(({ _id }) => String(_id)).toSorted()).to.deep.equal([...notes, ...pages].toSorted());
  expect(await expectWhole(fleet, id)).to.equal(pages.length * SECTIONS + notes.length);
  expect(await contentsWith(id, markOf('kill07', 1))).to.equal(1);
  expect(await KbNamespace.countDocuments({ id_project: id, default: false })).to.equal(namespaces);
};

/** Kill a worker and, beside it, the API again and again while clients add; nothing is lost, nothing there twice. */
export const underKills = async (stage: Stage, { kills, delayMs, waiting }: Kills) => {
  let [lot, over] = [0, false];
  const morePages = () => stage.site.shelve(`kill${lot++}`, waiting * 2, { delayMs });
  const client = await anImport(stage, morePages());
  const fed: Fed = { notes: [], pages: client.accepted, namespaces: 0 };
  const feeding = times(CLIENTS, () =>
    feed(client, fed, { morePages, isOver: () => over, isHungry: (few) => few < waiting }),
  );
  await Promise.all([
    Promise.all(feeding),
    Promise.all([atRandomMoments(kills, stage.killWorker), atRandomMoments(kills, stage.killApi)]).then(() => {
      over = true;
    }),
  ]);
  await until(() => isTidy(client.id), 60);
  await expectAll(stage, client.id, fed);
  return { pages: fed.pages.length, notes: fed.notes.length, namespaces: fed.namespaces };
};

/** Tell a worker to stop in the middle of an import: it ends with 0, and no page is fetched twice. */
export const underRestart = async (stage: Stage, name: string): Promise<void> => {
  const { fleet, site, workers } = stage;
  const { id } = await anImport(stage, site.shelve(name, 40, { delayMs: 300 }));
  await until(() => site.hitsOf(name).length > 10, 20);
  const [leaving] = workers;
  workers[0] = await fleet.worker();
  expect(await leaving.end('SIGTERM')).to.equal(0);
  await until(() => isTidy(id), 30);
  expect(site.hitsOf(name)).to.deep.equal(times(40, () => 1));
  await expectWhole(fleet, id);
};

/** Pause a worker until another one has done its work, and wake it: nothing of what it then writes is left. */
export const underPause = async (stage: Stage, name: string): Promise<void> => {
  const { fleet, provider, site, workers } = stage;
  const [one, two] = workers;
  two.signal('SIGSTOP');
  const { id } = await anImport(stage, site.shelve(`${SLOW}${name}`, 8));
  await until(() => provider.openCalls() > 0, 20);
  await sleep(Math.random() * MAX_PAUSE_MS);
  one.signal('SIGSTOP');
  two.signal('SIGCONT');
  await until(() => isTidy(id), 30);
  one.signal('SIGCONT');
  expect(await one.end('SIGTERM')).to.equal(0);
  await until(() => isTidy(id), 30);
  expect(await expectWhole(fleet, id)).to.equal(8 * SECTIONS);
  workers[0] = await fleet.worker();
};
