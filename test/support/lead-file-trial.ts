/** A long file of leads on its way from one project into another, while the worker that reads it dies again and again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { LeadImport } from '#shared/models/lead-import.ts';
import { LeadImportFault } from '#shared/models/lead-import-fault.ts';
import { aFleet } from './fleet.ts';
import { exported, send, someLeads, told } from './lead-files.ts';
import { aProject } from './people.ts';
import { times } from './stage.ts';
import { until } from './until.ts';

const APART = 5000;
const KILLS = 5;
/** Longest life of a worker that has begun, and seconds after which one that does nothing is a fault. */
const LIFE_MS = 500;
const PATIENCE = 300;

/** The file with a row that can not be read before every so many others; the lines of those. */
const withBrokenRows = (file: string): { text: string; lines: number[] } => {
  const broken: number[] = [];
  let line = 1;
  const rows = file.split(/(?<=\n)(?=[0-9a-f]{24};)/).flatMap((row, at) => {
    const before = at % APART === 1 ? ['too;short\n'] : [];
    if (before.length) broken.push(line++);
    line += row.split('\n').length - 1;
    return [...before, row];
  });
  return { text: rows.join(''), lines: broken };
};

/** Take leads out and in; every one is there once and as it was, every broken row is told with its line. Answers the bytes that were left after the last death. */
export const underKills = async (leads: number): Promise<number> => {
  const fleet = await aFleet();
  const [from, into] = await Promise.all([aProject(), aProject()]);
  const own = { id_project: from.project.id, createdBy: 'test' };
  await Lead.insertMany(someLeads(leads).map((lead) => ({ ...own, ...lead })));
  const { text, lines } = withBrokenRows(await exported(from.owner, from.project.id, '?attributes=true'));
  const id_project = into.project.id;
  const { body } = await send(into, text);
  const how = () => LeadImport.findOne({ _id: body._id, id_project }).orFail().lean();
  const movesOn = async () => {
    const { position } = await how();
    await until(async () => (await how()).position > position || (await how()).status === 'done', PATIENCE);
  };
  for (const _ of times(KILLS, Number)) {
    const worker = await fleet.worker();
    await movesOn();
    await sleep(Math.random() * LIFE_MS);
    await worker.end('SIGKILL');
  }
  const left = (await how()).size - (await how()).position;
  await fleet.worker();
  await until(async () => (await how()).status === 'done', PATIENCE);
  expect(await how()).to.include({ rows: leads + lines.length, created: leads, updated: 0, failed: lines.length });
  expect(await LeadImportFault.distinct('line', { id_project })).to.deep.equal(lines);
  expect(await told(id_project)).to.deep.equal(await told(from.project.id));
  await fleet.close();
  return left;
};
