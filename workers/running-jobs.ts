/** The jobs that this worker is running, which its heartbeat (a record that it stores every few seconds) lists. */
import type { RunningJob } from '#shared/domain/operations/heartbeats.ts';
import { currentTime } from '#shared/time/clock.ts';

const running = new Set<RunningJob>();

const projectOf = (payload: unknown): string | undefined =>
  payload && typeof payload === 'object' && 'id_project' in payload ? String(payload.id_project) : undefined;

/** Records that a job has begun. Returns a function that records its end. */
export const trackJob = (job: string, payload: unknown): (() => void) => {
  const id_project = projectOf(payload);
  const entry = { job, ...(id_project ? { id_project } : {}), since: currentTime() };
  running.add(entry);
  return () => void running.delete(entry);
};

/** Returns the jobs that are running, oldest first. */
export const runningJobs = (): RunningJob[] => [...running];
