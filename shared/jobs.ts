/**
 * The menu of jobs: each slow piece of work, what it is told, and what starts it.
 * A job's queue is the part of its name before the dot; its processor stands in workers/processors.ts.
 */
import { z } from 'zod';
import { config } from './config.ts';
import type { EventName } from './events.ts';

interface Options<P> {
  /** How often it is tried; 1 for work that is asked for again by a sweep. */
  attempts: number;
  /** Two requests with one text are one job; one that arrives while it runs makes it run once more. */
  once?: (payload: P) => string;
  /** Seconds between two runs by the clock. */
  every?: number;
  /** Events that start it. */
  on?: EventName[];
}

const job = <P extends z.ZodType>(payload: P, options: Options<z.output<P>>) => ({ payload, ...options });

const Project = z.object({ id_project: z.string() });
const Slot = Project.extend({ slot: z.number().int() });
const Nothing = z.object({});

export const jobs = {
  /** A project's waiting contents, first slot: small projects never queue behind large ones. */
  'kb.work-contents': job(Project, { attempts: 1, once: ({ id_project }) => id_project }),
  /** The further slots of a project that has many waiting. */
  'bulk.work-contents': job(Slot, { attempts: 1, once: ({ id_project, slot }) => `${id_project}-${slot}` }),
  /** Chunks that were indexed while no model was there. */
  'bulk.embed-chunks': job(Project, { attempts: 3, once: ({ id_project }) => id_project }),
  /** Takes over, nudges and cleans up what a killed worker or a flushed queue left. */
  'upkeep.sweep-contents': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** Fills the chunk index of a namespace anew from MongoDB; in a queue where no sweep waits behind it. */
  'bulk.rebuild-index': job(Project.extend({ namespace: z.string() }), {
    attempts: 3,
    once: ({ namespace }) => namespace,
  }),
};

export type JobName = keyof typeof jobs;
export type Payload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>;
export type Processor<N extends JobName> = (payload: Payload<N>) => Promise<void>;

/** The queue of a job. */
export const queueOf = (name: JobName): string => name.slice(0, name.indexOf('.'));

/** Every queue there is. */
export const QUEUES: string[] = [...new Set((Object.keys(jobs) as JobName[]).map(queueOf))];
