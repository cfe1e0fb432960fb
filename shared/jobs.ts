/**
 * The registry of jobs: the payload of each job, its options, and the events that start it. The queue of a job is the
 * part of its name before the dot; listeners run in the `events` queue. Processors are registered in
 * workers/processors.ts.
 */
import { z } from 'zod';
import { config } from './config.ts';
import { type EventName, events, isTeamEvent } from './events.ts';
import { defineBatchListener, defineJob, defineListener, definePeriodicJob, defineSweep } from './job-definitions.ts';

const ProjectPayload = z.object({ id_project: z.string() });
const ProjectSlotPayload = ProjectPayload.extend({ slot: z.number().int() });
const BotConversationPayload = ProjectPayload.extend({ bot: z.string(), conversation: z.string() });
const ReceiverPayload = ProjectPayload.extend({
  receiver: z.string(),
  /** The time at which a delayed job is due, in seconds since the epoch. */
  second: z.number().int().optional(),
});
const ListenerPayload = z.object({ listener: z.string() });

/** The events that are recorded as activities and in the history of conversations. */
const ACTIVITY_EVENTS: EventName[] = [
  'request.create',
  'request.updated',
  'request.close',
  'request.delete',
  'request.assigned',
  'request.participants.leave',
  'project_user.invite',
  'project_user.invite.pending',
  'project_user.updated',
  'project_user.delete',
  'kb.namespace.create',
  'kb.namespace.delete',
  'kb.content.delete',
  ...(['kb.contents.add', 'kb.contents.delete'] as const),
  ...(['faqbot.created', 'faqbot.deleted', 'faqbot.publish'] as const),
];

/** The events whose records are counted in analytics. */
const ANALYTICS_EVENTS = (Object.keys(events) as EventName[]).filter(
  (name) => /^(request|projectuser|project_user|event)\.|^message\.(create|import)$/.test(name) && !isTeamEvent(name),
);

export const jobs = {
  /**
   * Indexes pending contents of a project in its first slot. The `kb` queue runs only these jobs, one per project, so
   * that small projects do not wait for the additional slots of large projects.
   */
  'kb.index-contents': defineJob(ProjectPayload, { attempts: 1, deduplicateBy: ({ id_project }) => id_project }),
  /** Indexes pending contents in the additional slots of a project with more than one due content. */
  'bulk.index-contents-slot': defineJob(ProjectSlotPayload, {
    attempts: 1,
    deduplicateBy: ({ id_project, slot }) => `${id_project}-${slot}`,
  }),
  /** Embeds chunks without a vector of the configured model; a namespace switches to the model once all have one. */
  'bulk.embed-chunks': defineJob(ProjectPayload, { attempts: 3, deduplicateBy: ({ id_project }) => id_project }),
  /** Deletes the contents of a namespace or the pages of a sitemap, one time slice per run. */
  'bulk.delete-contents': defineJob(ProjectPayload.extend({ deletion: z.string() }), {
    attempts: 3,
    deduplicateBy: ({ deletion }) => deletion,
  }),
  /** Runs all sweeps, one after the other: a job for each of them would take more time than most sweeps. */
  'maintenance.run-sweeps': definePeriodicJob(config.SWEEP_INTERVAL_SECONDS),
  /**
   * Enqueues contents whose worker was killed or whose job was lost, and removes what outdated attempts and deletions
   * have left.
   */
  'maintenance.sweep-contents': defineSweep(),
  /** Removes a project with all its records, or continues a removal that was interrupted. */
  'bulk.remove-project': defineJob(ProjectPayload, { attempts: 3, deduplicateBy: ({ id_project }) => id_project }),
  /** Deletes the messages of a removed conversation with many messages. */
  'bulk.remove-messages': defineJob(ProjectPayload.extend({ removal: z.string() }), {
    attempts: 3,
    deduplicateBy: ({ removal }) => removal,
  }),
  /** Enqueues unfinished removals of contents, of projects and of the messages of conversations again. */
  'maintenance.sweep-removals': defineSweep(),
  /** Rebuilds the chunk index of a namespace from MongoDB. It is in the `bulk` queue, so no sweep waits for it. */
  'bulk.rebuild-index': defineJob(ProjectPayload.extend({ namespace: z.string() }), {
    attempts: 3,
    deduplicateBy: ({ namespace }) => namespace,
  }),
  /**
   * Clusters new unanswered questions of a knowledge base. Once the FAQ that editors added for a cluster is indexed,
   * tries to answer the questions of the cluster again.
   */
  'bulk.update-question-clusters': defineJob(ProjectPayload.extend({ namespace: z.string() }), {
    attempts: 3,
    deduplicateBy: ({ id_project, namespace }) => `${id_project}-${namespace}`,
  }),
  /** Enqueues due updates of the clusters of unanswered questions. */
  'maintenance.sweep-questions': defineSweep(),
  /** Imports a file of leads, one time slice per run. */
  'bulk.import-leads': defineJob(ProjectPayload.extend({ import: z.string() }), {
    attempts: 3,
    deduplicateBy: (payload) => payload.import,
  }),
  /** Enqueues unfinished imports again. */
  'maintenance.sweep-imports': defineSweep(),
  /** Creates the thumbnail of an uploaded image. */
  'files.make-thumbnail': defineJob(ProjectPayload.extend({ file: z.string() }), {
    attempts: 5,
    deduplicateBy: ({ file }) => file,
  }),
  /** Removes expired files and the remains of interrupted uploads, and enqueues the jobs for missing thumbnails. */
  'maintenance.sweep-files': defineSweep(),
  /** Sends one stored email through the SMTP server of the instance. */
  'mail.send': defineJob(z.object({ mail: z.string(), id_project: z.string().optional() }), {
    attempts: 1,
    deduplicateBy: ({ mail }) => mail,
  }),
  /** Sends the due emails of a project through its own SMTP server, one time slice per run. */
  'project-mails.send': defineJob(ProjectPayload, { attempts: 1, deduplicateBy: ({ id_project }) => id_project }),
  /** Enqueues emails that are due for their first or next attempt. */
  'maintenance.sweep-mails': defineSweep(),
  /** Makes the due calls to the bot of a conversation. */
  'bots.call': defineJob(BotConversationPayload, {
    attempts: 1,
    deduplicateBy: ({ id_project, bot, conversation }) => `${id_project}-${bot}-${conversation}`,
  }),
  /** Embeds those training phrases of a bot that have no vector. */
  'bulk.embed-phrases': defineJob(ProjectPayload.extend({ bot: z.string() }), {
    attempts: 3,
    deduplicateBy: ({ bot }) => bot,
  }),
  /** Enqueues overdue bot calls whose wake-up was lost or whose worker died. */
  'maintenance.sweep-bot-calls': defineSweep(),
  /** Wake-up: handles the new events of a listener. */
  'events.run-listener': defineJob(ListenerPayload, { attempts: 1, deduplicateBy: (payload) => payload.listener }),
  /** Retries events of one project that a listener failed to handle. New events and other projects do not wait. */
  'events.retry-deferred': defineJob(ListenerPayload.extend({ id_project: z.string() }), {
    attempts: 1,
    deduplicateBy: ({ listener, id_project }) => `${listener}-${id_project}`,
  }),
  /** Copies a changed lead into its conversations. */
  'events.sync-lead': defineListener({ attempts: 8, on: ['lead.update'] }),
  /** Enqueues emails: notifications about conversations and the project's quotas, and transcripts of conversations. */
  'events.send-notifications': defineListener({
    attempts: 8,
    on: [
      'request.create',
      'request.participants.update',
      'request.updated',
      'message.create',
      'request.close.extended',
      'quote.checkpoint',
    ],
  }),
  /** Moves the conversations of a merged lead to the lead that remains. */
  'events.move-to-merged-lead': defineListener({ attempts: 8, on: ['lead.delete', 'request.create'] }),
  /** Announces a new name or email address of a lead in the latest conversation of the lead. */
  'events.announce-lead-update': defineListener({ attempts: 8, on: ['lead.fullname.email.update'] }),
  /** Stores the bot call for a message, or for the start of a conversation with a bot, and enqueues it. */
  'events.enqueue-bot-call': defineListener({
    attempts: 5,
    on: ['message.create', 'request.create', 'request.participants.join', 'request.participants.update'],
  }),
  /** Stores and enqueues a delivery for each event and each subscription to it. */
  'events.record-deliveries': defineBatchListener({ attempts: 8, on: Object.keys(events) as EventName[] }),
  /** Adds the records of events to the rollups from which analytics are read. */
  'events.update-analytics': defineBatchListener({ attempts: 8, on: ANALYTICS_EVENTS, gatherMs: 1000 }),
  /** Makes the due deliveries of a project's subscriptions to a receiver. */
  'webhooks.deliver': defineJob(ReceiverPayload, {
    attempts: 1,
    deduplicateBy: ({ id_project, receiver, second }) => `${id_project}-${receiver}${second ? `-${second}` : ''}`,
  }),
  /** Enqueues overdue deliveries whose wake-up was lost or whose worker died. */
  'maintenance.sweep-deliveries': defineSweep(),
  /** Starts the triggers that match an event. Changes to triggers also remove the project's triggers from the cache. */
  'events.match-triggers': defineBatchListener({
    attempts: 8,
    on: [
      ...(['request.create', 'request.participants.join', 'message.create', 'message.received'] as const),
      ...(['event.emit.*', 'trigger.create', 'trigger.update', 'trigger.delete'] as const),
    ],
  }),
  /** Performs the due actions of a project's triggers, for one time slice. */
  'triggers.run': defineJob(ProjectPayload, { attempts: 1, deduplicateBy: ({ id_project }) => id_project }),
  /** Enqueues overdue actions of triggers whose wake-up was lost or whose worker died. */
  'maintenance.sweep-triggers': defineSweep(),
  /** Moves the open conversations of a deleted department to the default department. */
  'events.reassign-department': defineListener({ attempts: 8, on: ['department.delete'] }),
  /** Records activities and the history of conversations. */
  'events.record-activity': defineBatchListener({ attempts: 8, on: ACTIVITY_EVENTS, gatherMs: 500 }),
  /**
   * Enqueues `maintenance.assign-waiting` for events after which an agent may be free or a conversation may wait. A
   * change of availability also emits `project_user.update.agent`.
   */
  'events.request-assignment': defineListener({
    attempts: 8,
    on: [
      ...(['request.create', 'request.update', 'request.delete', 'project.update'] as const),
      ...(['project_user.update.agent', 'project_user.delete', 'project_user.invite'] as const),
      ...(['group.create', 'group.update', 'group.delete', 'department.create', 'department.update'] as const),
    ],
  }),
  /** Assigns the waiting conversations of a project to agents with free capacity. */
  'maintenance.assign-waiting': defineJob(ProjectPayload, {
    attempts: 1,
    deduplicateBy: ({ id_project }) => id_project,
  }),
  /** Enqueues `maintenance.assign-waiting` for every project with waiting conversations. */
  'maintenance.sweep-waiting': defineSweep(),
  /** Releases reservations without a matching assignment. */
  'maintenance.sweep-reservations': defineSweep(),
  /**
   * Emits the load changes that were held back. A load change is an event that reports that an agent's number of open
   * conversations has changed; at most one is emitted per agent and second. The relay enqueues the job after a load
   * change, because the next load changes may be held back; `second` is the time at which the job is due, in seconds
   * since the epoch. The job also runs with the sweeps, in case such a job was lost.
   */
  'maintenance.emit-load-changes': defineJob(z.object({ second: z.number().int().optional() }), {
    attempts: 1,
    deduplicateBy: ({ second }) => `emit-${second ?? 'sweep'}`,
    isSweep: true,
  }),
  /** Marks people who have had no socket for 30 seconds as offline. Workers also do this every five seconds. */
  'maintenance.sweep-presence': defineSweep(),
  /** Merges the rows of the counters of conversations: a count is a sum of rows, to which changes add further rows. */
  'maintenance.compact-counters': defineSweep(),
  /** Closes idle conversations with a bot (`CLOSE_IDLE_BOTS`). */
  'maintenance.close-idle-bots': definePeriodicJob(300),
  /** Closes idle conversations without a bot (`CLOSE_IDLE_AGENTS`). */
  'maintenance.close-idle-agents': definePeriodicJob(1800),
  /** Wakes up every listener that has new events or events to retry. */
  'maintenance.sweep-listeners': defineSweep(),
};

export type JobName = keyof typeof jobs;
/** A job that events start; `enqueue` does not accept it. */
export type ListenerName = {
  [N in JobName]: (typeof jobs)[N] extends ReturnType<typeof defineListener | typeof defineBatchListener> ? N : never;
}[JobName];
export type Payload<N extends JobName> = z.output<(typeof jobs)[N]['payload']>;
/**
 * The function that performs a job. Loops must check `signal`, which aborts when the process is forced to stop and, in
 * a listener, also at its time limit. A later attempt then continues the work.
 */
export type Processor<N extends JobName> = (payload: Payload<N>, signal: AbortSignal) => Promise<void>;

/** The name of the queue of a job. */
export const queueName = (name: JobName): string => name.slice(0, name.indexOf('.'));

export const QUEUE_NAMES: string[] = [...new Set((Object.keys(jobs) as JobName[]).map(queueName))];
