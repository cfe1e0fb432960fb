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
}

/** What a listener is told: which event of which record. The record is read by whoever needs it, as it is by then. */
export const EventRef = z.object({
  id_project: z.string(),
  event: z.string(),
  /** The event's own; stays the same however often it is told. */
  id: z.string(),
  record: z.string(),
  position: z.string(),
});
export type EventRef = z.output<typeof EventRef>;

interface Hearing {
  /** How often an event is tried before it is put with the dead ones. */
  attempts: number;
  /** Events that start it, each once and in their order. */
  on: EventName[];
}

const job = <P extends z.ZodType>(payload: P, options: Options<z.output<P>>) => ({ payload, ...options });

/** A job on events: it follows the changes log by a cursor of its own, so none is lost with the queue (design 3). */
const listener = (hearing: Hearing) => ({ payload: EventRef, ...hearing });

const Project = z.object({ id_project: z.string() });
const Slot = Project.extend({ slot: z.number().int() });
const Nothing = z.object({});
const BotConversation = Project.extend({ bot: z.string(), conversation: z.string() });
const Heard = z.object({ listener: z.string() });

/** What activities and the history of conversations are made of. */
const DEEDS: EventName[] = [
  'request.create',
  'request.updated',
  'request.close',
  'request.delete',
  'request.assigned',
  'request.participants.leave',
  'project_user.invite',
  'project_user.invite.pending',
  'project_user.update.agent',
  'project_user.update.availability',
  'project_user.delete',
  'kb.namespace.create',
  'kb.namespace.delete',
  'kb.content.delete',
];

export const jobs = {
  /** A project's waiting contents, first slot: small projects never queue behind large ones. */
  'kb.work-contents': job(Project, { attempts: 1, once: ({ id_project }) => id_project }),
  /** The further slots of a project that has many waiting. */
  'bulk.work-contents': job(Slot, { attempts: 1, once: ({ id_project, slot }) => `${id_project}-${slot}` }),
  /** Chunks that were indexed while no model was there. */
  'bulk.embed-chunks': job(Project, { attempts: 3, once: ({ id_project }) => id_project }),
  /** Takes over, nudges and cleans up what a killed worker or a flushed queue left. */
  'upkeep.sweep-contents': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** Removes a project with everything in it, also when it was begun by a worker that was killed. */
  'bulk.remove-project': job(Project, { attempts: 3, once: ({ id_project }) => id_project }),
  /** Deletes the messages of a removed conversation that had many. */
  'bulk.remove-messages': job(Project.extend({ removal: z.string() }), { attempts: 3, once: ({ removal }) => removal }),
  /** Has removals gone on with that are not done. */
  'upkeep.sweep-removals': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** Fills the chunk index of a namespace anew from MongoDB; in a queue where no sweep waits behind it. */
  'bulk.rebuild-index': job(Project.extend({ namespace: z.string() }), {
    attempts: 3,
    once: ({ namespace }) => namespace,
  }),
  /** A file of leads, a slice of time at once. */
  'bulk.import-leads': job(Project.extend({ import: z.string() }), { attempts: 3, once: (payload) => payload.import }),
  /** Has imports gone on with whose worker has died. */
  'upkeep.sweep-imports': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** A mail that was written down. */
  'mail.send': job(z.object({ mail: z.string() }), { attempts: 1, once: ({ mail }) => mail }),
  /** Has mails sent that are due and that nobody was nudged for. */
  'upkeep.sweep-mails': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** The due calls of a conversation with a bot. */
  'bots.call': job(BotConversation, {
    attempts: 1,
    once: ({ id_project, bot, conversation }) => `${id_project}-${bot}-${conversation}`,
  }),
  /** Has calls of bots made that are due and that nobody was woken for. */
  'upkeep.sweep-bot-calls': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** A listener's new events. */
  'events.pump-listener': job(Heard, { attempts: 1, once: (payload) => payload.listener }),
  /** Its events of one project that were kept aside: neither new events nor other projects wait for them. */
  'events.retry-listener': job(Heard.extend({ id_project: z.string() }), {
    attempts: 1,
    once: ({ listener, id_project }) => `${listener}-${id_project}`,
  }),
  /** A lead's change reaches its conversations. */
  'events.copy-lead': listener({ attempts: 8, on: ['lead.update'] }),
  /** Mails to whom would not hear of a conversation otherwise. */
  'events.write-mails': listener({
    attempts: 8,
    on: [
      'request.create',
      'request.participants.update',
      'request.updated',
      'message.create',
      'request.close.extended',
    ],
  }),
  /** Conversations follow their lead into the one that it was merged into. */
  'events.move-conversations': listener({ attempts: 8, on: ['lead.delete', 'request.create'] }),
  'events.announce-lead': listener({ attempts: 8, on: ['lead.fullname.email.update'] }),
  /** Writes down the call that a message for a bot makes due. */
  'events.call-bot': listener({ attempts: 5, on: ['message.create'] }),
  /** The open conversations of a deleted department go to the default one. */
  'events.leave-department': listener({ attempts: 8, on: ['department.delete'] }),
  /** Who did what is written down. */
  'events.note-deed': listener({ attempts: 8, on: DEEDS }),
  /** Whatever may make a teammate free, or somebody wait, has the project's line served. */
  'events.serve-waiting': listener({
    attempts: 8,
    on: [
      ...(['request.create', 'request.update', 'request.delete', 'project.update'] as const),
      ...(['project_user.update.agent', 'project_user.delete', 'project_user.invite'] as const),
      ...(['group.create', 'group.update', 'group.delete', 'department.create', 'department.update'] as const),
    ],
  }),
  /** Gives those of a project who wait to teammates who may take one more. */
  'upkeep.serve-line': job(Project, { attempts: 1, once: ({ id_project }) => id_project }),
  /** The same of every project in which somebody waits. */
  'upkeep.sweep-lines': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** Drops what routing gave to teammates of conversations that were never opened. */
  'upkeep.sweep-claims': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** Tells the loads of teammates that changed within a second after they were told last. */
  'upkeep.tell-loads': job(Nothing, { attempts: 1, once: () => 'tell', every: 1 }),
  /** Adds up the tallies of conversations. */
  'upkeep.fold-tallies': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
  /** Ends conversations that nobody goes on with. */
  'upkeep.close-idle-bots': job(Nothing, { attempts: 1, once: () => 'close', every: 300 }),
  'upkeep.close-idle-agents': job(Nothing, { attempts: 1, once: () => 'close', every: 1800 }),
  /** Nudges every listener that is behind. */
  'upkeep.sweep-listeners': job(Nothing, { attempts: 1, once: () => 'sweep', every: config.SWEEP_SECONDS }),
};

export type JobName = keyof typeof jobs;
/** A job that is started by events, and so never by `enqueue`. */
export type ListenerName = {
  [N in JobName]: (typeof jobs)[N] extends ReturnType<typeof listener> ? N : never;
}[JobName];
export type Payload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>;
/** What does a job. Work in a loop looks at `signal`: once it is aborted, the job is out of time and another attempt will follow. */
export type Processor<N extends JobName> = (payload: Payload<N>, signal: AbortSignal) => Promise<void>;

/** The queue of a job. */
export const queueOf = (name: JobName): string => name.slice(0, name.indexOf('.'));

/** Every queue there is. */
export const QUEUES: string[] = [...new Set((Object.keys(jobs) as JobName[]).map(queueOf))];
