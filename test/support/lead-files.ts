/** Files of leads, and the leads of a project. */
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { api, type Caller } from './api.ts';
import { times } from './fleet-fixture.ts';
import { runJobs } from './run-jobs.ts';

const CSV_TYPE = { 'content-type': 'text/csv' };

/** The project and the caller of an import. */
interface ImportTarget {
  agent: Caller;
  project: { id: string };
}

/** Starts an import; `query` is a query string such as `?dry_run=true`. */
export const startImport = ({ agent, project }: ImportTarget, text: string, query = '') =>
  api(agent).post(`/v3/${project.id}/leads/csv${query}`, text, CSV_TYPE);

/** Imports a file and returns the finished import. */
export const importFile = async (target: ImportTarget, text: string, query = '') => {
  const { status, body } = await startImport(target, text, query);
  expect(status, JSON.stringify(body)).to.equal(200);
  await runJobs();
  return (await api(target.agent).get(`/v3/${target.project.id}/leads/imports/${body._id}`)).body;
};

/** Exports the leads of a project as CSV. */
export const exportLeads = async (by: Caller, project: string, query = '') =>
  (await api(by).get(`/v3/${project}/leads/csv${query}`)).text;

/** The leads of a project in the order of `lead_id`, without the fields that differ after an export and import. */
export const readLeads = async (id_project: string) => {
  const own = { _id: 0, id_project: 0, createdBy: 0, createdAt: 0, updatedAt: 0, __v: 0, trusted_email: 0 } as const;
  return Lead.find({ id_project }, own).sort({ lead_id: 1 }).lean();
};

/** Texts with a special meaning in CSV or in spreadsheets. */
const DIFFICULT_TEXTS = [
  '=1+1',
  '+39 06',
  '-2',
  '@me',
  '\tx',
  '\rx',
  "'=x",
  "''=x",
  "'x",
  'a;b',
  'a,b',
  '"q"',
  'a\nb',
  'a\r\nb',
  ' x ',
];
const pickCyclic = <T>(list: T[], n: number): T => list[n % list.length] as T;

/** Leads with many combinations of fields and difficult texts; each lead is unique. */
export const someLeads = (count: number) =>
  times(count, (n) => ({
    lead_id: `${pickCyclic(DIFFICULT_TEXTS, n)} ${n}`,
    fullname: pickCyclic(DIFFICULT_TEXTS, n),
    ...(n % 3 && { email: `n${n}@example.com` }),
    ...(n % 4 && { phone: `+39066982${String(n).padStart(5, '0')}` }),
    company: `${pickCyclic(DIFFICULT_TEXTS, n + 1)}${n}`,
    note: pickCyclic(DIFFICULT_TEXTS, n + 2),
    tags: times(n % 4, (tag) => `${pickCyclic(DIFFICULT_TEXTS, n + tag).trim()}${tag}`),
    status: n % 5 ? 100 : 50,
    ...(n % 2 && {
      properties: { plan: pickCyclic(DIFFICULT_TEXTS, n + 3), seats: n, deep: { on: true, list: [1, 'a'] } },
    }),
    ...(n % 7 === 0 && { attributes: { [`k${n}`]: pickCyclic(DIFFICULT_TEXTS, n + 4) } }),
  }));
