/** Files of leads, and leads as they stand in a project. */
import { expect } from 'chai';
import { Lead } from '#shared/models/lead.ts';
import { api, type Caller } from './api.ts';
import { runJobs } from './run-jobs.ts';
import { times } from './stage.ts';

const CSV = { 'content-type': 'text/csv' };

/** Whose import it is. */
interface Into {
  agent: Caller;
  project: { id: string };
}

/** Begin an import; `query` as in `?dry_run=true`. */
export const send = ({ agent, project }: Into, text: string, query = '') =>
  api(agent).post(`/v3/${project.id}/leads/csv${query}`, text, CSV);

/** Import a file to its end; how the import is then. */
export const take = async (into: Into, text: string, query = '') => {
  const { status, body } = await send(into, text, query);
  expect(status, JSON.stringify(body)).to.equal(200);
  await runJobs();
  return (await api(into.agent).get(`/v3/${into.project.id}/leads/imports/${body._id}`)).body;
};

/** The leads of a project as a file. */
export const exported = async (by: Caller, project: string, query = '') =>
  (await api(by).get(`/v3/${project}/leads/csv${query}`)).text;

/** The fields of a project's leads that callers may read, by `lead_id`. */
export const told = async (id_project: string) => {
  const own = { _id: 0, id_project: 0, createdBy: 0, createdAt: 0, updatedAt: 0, __v: 0, trusted_email: 0 } as const;
  return Lead.find({ id_project }, own).sort({ lead_id: 1 }).lean();
};

/** Every text that CSV or a spreadsheet could take for something else. */
const HARD = [
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
const at = <T>(list: T[], n: number): T => list[n % list.length] as T;

/** Leads of all shapes; each is another one. */
export const someLeads = (count: number) =>
  times(count, (n) => ({
    lead_id: `${at(HARD, n)} ${n}`,
    fullname: at(HARD, n),
    ...(n % 3 && { email: `n${n}@example.com` }),
    ...(n % 4 && { phone: `+39066982${String(n).padStart(5, '0')}` }),
    company: `${at(HARD, n + 1)}${n}`,
    note: at(HARD, n + 2),
    tags: times(n % 4, (tag) => `${at(HARD, n + tag).trim()}${tag}`),
    status: n % 5 ? 100 : 50,
    ...(n % 2 && { properties: { plan: at(HARD, n + 3), seats: n, deep: { on: true, list: [1, 'a'] } } }),
    ...(n % 7 === 0 && { attributes: { [`k${n}`]: at(HARD, n + 4) } }),
  }));
