/** Bytes that projects have added today: the largest ones, so that the number of series stays small. */
import { Gauge } from 'prom-client';
import { bytesToday } from '#shared/project-bytes.ts';

const MOST_PROJECTS = 20;

const today = new Gauge({
  name: 'project_bytes_today',
  help: `Bytes of messages, custom events and the changes log today (UTC), of the ${MOST_PROJECTS} largest projects that this process knows`,
  labelNames: ['project'],
});
const refusals = new Gauge({
  name: 'project_bytes_refusals',
  help: 'Calls that this process answered with 429 since it started, as the bytes of their project were spent',
});

/** Read the bytes of projects into the metrics of this process. */
export const showBytes = (): void => {
  const known = bytesToday(MOST_PROJECTS);
  today.reset();
  for (const [project, bytes] of known.largest) today.set({ project }, bytes);
  refusals.set(known.refusals);
};
