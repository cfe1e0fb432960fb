/** Trials of an import that goes on while processes die, pause and stop; each ends with what must be true after it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { KbContent } from '#shared/models/kb-content.ts';
import { KbNamespace } from '#shared/models/kb-namespace.ts';
import { contentsWith, expectWhole, isTidy } from './fleet-knowledge.ts';
import { statuses } from './knowledge.ts';
import { markOf } from './numbered-pages.ts';
import { anImport, type Client } from './persistent.ts';
import { SECTIONS, SLOW, type Stage, times } from './stage.ts';
import { until } from './until.ts';

const MAX_PAUSE_MS = 900;
const NOTES_APART_MS = 100;
const AT_LEAST_WAITING = 60;

const atRandomMoments = async (count: number, kill: () => Promise<unknown>): Promise<void> => {
  for (let done = 0; done < count; done += 1) {
    await sleep(Math.random() * MAX_PAUSE_MS);
    await kill();
  }
};

/** Add texts, and pages whenever few wait, until told that it is over. */
const feed = async (client: Client, morePages: () => string[], isOver: () => boolean) => {
  const [notes, pages]: [string[], string[]] = [[], []];
  while (!isOver()) {
    const name = `note ${notes.length}`;
    notes.push(await client.addNote(name));
    await client.addNamespace(name);
    const waiting = await KbContent.countDocuments({ id_project: client.id, status: { $lt: 300 } });
    if (waiting < AT_LEAST_WAITING) pages.push(...(await client.addPages(morePages())));
    await sleep(NOTES_APART_MS);
  }
  return { notes, pages };
};

/** Kill a worker and, beside it, the API again and again; nothing is lost, nothing is there twice. What was imported. */
export const underKills = async (stage: Stage, { kills, delayMs }: { kills: number; delayMs: number }) => {
  let lot = 0;
  const morePages = () => stage.site.shelve(`kill${lot++}`, AT_LEAST_WAITING * 2, { delayMs });
  const client = await anImport(stage, morePages());
  let over = false;
  const killing = Promise.all([atRandomMoments(kills, stage.killWorker), atRandomMoments(kills, stage.killApi)]);
  const fed = feed(client, morePages, () => over);
  await killing;
  over = true;
  const { notes, pages } = await fed;
  await until(() => isTidy(client.id), 60);
  const accepted = [...client.accepted, ...notes, ...pages];
  expect(await statuses(client.id)).to.deep.equal({ 300: accepted.length });
  const contents = await KbContent.find({ id_project: client.id }, { _id: 1 }).lean();
  expect(contents.map(({ _id }) => String(_id)).sort()).to.deep.equal(accepted.sort());
  expect(await KbNamespace.countDocuments({ id_project: client.id })).to.equal(notes.length + 1);
  const passages = (accepted.length - notes.length) * SECTIONS + notes.length;
  expect(await expectWhole(stage.fleet, client.id)).to.equal(passages);
  expect(await contentsWith(client.id, markOf('kill07', 1))).to.equal(1);
  return { pages: client.accepted.length + pages.length, notes: notes.length, passages };
};

/** Tell a worker to stop in the middle of an import: it ends with 0, and no page is fetched twice. */
export const underRestart = async ({ fleet, site, workers, ...stage }: Stage, name: string): Promise<void> => {
  const { id } = await anImport({ fleet, site, workers, ...stage }, site.shelve(name, 40, { delayMs: 300 }));
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
