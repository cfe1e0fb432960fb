/** Compares the durations of analytics calls in a large project with those in a small one. */
import { expect } from 'chai';
import { rebuild } from '#shared/domain/analytics/rebuild.ts';
import { endpoints } from '../../api/resources.ts';
import { type AnalyticsProject, aSeededProject } from './analytics-trials.ts';
import { api } from './api.ts';

const SMALL_PROJECT_CONVERSATIONS = 1000;
const ROUNDS = 31;
const MAX_RATIO = 1.5;

const paths = endpoints
  .map(({ path }) => path)
  .filter((path) => /^\/v3\/:project_id\/(public)?analytics\//.test(path))
  .map((path) => path.replace(':type', 'conversation-tag'));

const timeOf = async ({ id_project, admin }: AnalyticsProject, path: string): Promise<number> => {
  const start = performance.now();
  const { status, text } = await api(admin).get(path.replace(':project_id', id_project));
  const elapsed = performance.now() - start;
  expect(status, text).to.equal(200);
  return elapsed;
};

/** Expects that no call takes more than 1.5 times as long in the large project; prints the durations. */
export const measure = async (small: AnalyticsProject, large: AnalyticsProject): Promise<void> => {
  const slower: string[] = [];
  const year = 'start=2000-01-01&timezone=Asia/Kathmandu';
  for (const path of paths.flatMap((each) => [each, `${each}?${year}`])) {
    const durations: { few: number[]; many: number[] } = { few: [], many: [] };
    for (let round = 0; round <= ROUNDS; round++) {
      const [few, many] = [await timeOf(small, path), await timeOf(large, path)];
      if (round) durations.few.push(few) && durations.many.push(many);
    }
    // Other processes can only lengthen a call, so the shortest duration is the one least affected by them.
    const [few, many] = [Math.min(...durations.few), Math.min(...durations.many)];
    const line = `${path.slice('/v3/:project_id/'.length)}: ${few.toFixed(1)} ms, ${many.toFixed(1)} ms, ${(many / few).toFixed(2)}`;
    console.log(`      ${line}`);
    if (many / few > MAX_RATIO) slower.push(line);
  }
  expect(slower).to.deep.equal([]);
};

/**
 * Measures every analytics call in both projects alternately, so that the load of the machine affects both equally.
 * Fails if a call takes more than 1.5 times as long in the large project.
 */
export const compareDurations = async (large: AnalyticsProject): Promise<void> => {
  const small = await aSeededProject(SMALL_PROJECT_CONVERSATIONS);
  await rebuild(small.id_project);
  await measure(small, large);
};
