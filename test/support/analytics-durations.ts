/** Compares the durations of analytics calls in a large project with those in a small one. */
import { expect } from 'chai';
import { endpoints } from '../../api/resources.ts';
import { ZONES } from './analytics-zones.ts';
import { api } from './api.ts';
import type { Person } from './people.ts';

const ROUNDS = 31;
/** The maximum number of measurements of a call; more than ROUNDS are made only while the ratio exceeds MAX_RATIO. */
const MAX_ROUNDS = 155;
const MAX_RATIO = 1.5;

const paths = endpoints
  .map(({ path }) => path)
  .filter((path) => /^\/v3\/:project_id\/(public)?analytics\//.test(path))
  .map((path) => path.replace(':type', 'conversation-tag'));

/** The default period, and a period of all records, which are of the last 13 months, in each time zone. */
const PERIODS = ['', ...ZONES.map((zone) => `?start=2000-01-01&timezone=${zone}`)];

/** A project and its admin. */
interface MeasuredProject {
  id_project: string;
  admin: Person;
}

/** The shortest duration of a call in the small project and in the large one, in milliseconds. */
interface Durations {
  few: number;
  many: number;
}

const timeOf = async ({ id_project, admin }: MeasuredProject, path: string): Promise<number> => {
  const start = performance.now();
  const { status, text } = await api(admin).get(path.replace(':project_id', id_project));
  const elapsed = performance.now() - start;
  expect(status, text).to.equal(200);
  return elapsed;
};

/** How many times as long a call takes in the large project. */
const ratioOf = ({ few, many }: Durations): number => many / few;

/**
 * Measures a call in both projects alternately, so that the load of the machine affects both equally. Other processes
 * can only lengthen a call, so the shortest duration is least affected by them.
 */
const measure = async (small: MeasuredProject, large: MeasuredProject, path: string): Promise<Durations> => {
  let shortest = { few: Infinity, many: Infinity };
  for (let round = 0; round < ROUNDS || (round < MAX_ROUNDS && ratioOf(shortest) > MAX_RATIO); round++) {
    const [few, many] = [await timeOf(small, path), await timeOf(large, path)];
    shortest = { few: Math.min(few, shortest.few), many: Math.min(many, shortest.many) };
  }
  return shortest;
};

const format = (durations: Durations): string =>
  `${durations.few.toFixed(1)} and ${durations.many.toFixed(1)} ms, ratio ${ratioOf(durations).toFixed(2)}`;

/**
 * Measures every analytics call over its default period, and over 13 months in four time zones. Prints a table of the
 * durations in both projects, and fails if a call takes more than 1.5 times as long in the large project.
 */
export const compareCalls = async (small: MeasuredProject, large: MeasuredProject): Promise<void> => {
  const slower: string[] = [];
  const ratios: number[] = [];
  console.log(
    `      | Call, in the small and the large project | default period | ${ZONES.map((zone) => `13 months, ${zone}`).join(' | ')} |`,
  );
  for (const path of paths) {
    const name = path.slice('/v3/:project_id/'.length);
    const cells: string[] = [];
    for (const period of PERIODS) {
      const durations = await measure(small, large, path + period);
      cells.push(format(durations));
      ratios.push(ratioOf(durations));
      if (ratioOf(durations) > MAX_RATIO) slower.push(`${name}${period}: ${cells.at(-1)}`);
    }
    console.log(`      | ${name} | ${cells.join(' | ')} |`);
  }
  console.log(
    `      ${ratios.length} pairs of durations, largest ratio ${Math.max(...ratios).toFixed(2)} (limit ${MAX_RATIO})`,
  );
  expect(slower).to.deep.equal([]);
};
