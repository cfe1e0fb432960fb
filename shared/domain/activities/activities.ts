/** The activities of a project: a record of what each actor did, derived from events. */
import type { z } from 'zod';
import { type CurrentActor, newId, withIdempotentIds } from '../../context.ts';
import { insertMissingRecords } from '../../database/raw-write.ts';
import { countRecords, readEach, readMany } from '../../database/raw-read.ts';
import { Activity, ActivityView } from '../../models/activity.ts';
import { currentTime } from '../../time/clock.ts';
import { projectionOf } from '../../wire/view.ts';
import { findPeople } from '../conversations/participants.ts';
import type { IdentifiedEvent, LoggedEvent } from '../events/logged-event.ts';
import { SYSTEM_ACTOR, storedActor } from './activity-draft.ts';
import { botActivities } from './bot-activities.ts';
import { conversationActivities } from './conversation-activities.ts';
import { knowledgeActivities } from './knowledge-activities.ts';
import { teamActivities } from './team-activities.ts';

const ACTIVITY_MAPPERS = { ...conversationActivities, ...teamActivities, ...knowledgeActivities, ...botActivities };
const ACTIVITY_FIELDS = projectionOf(ActivityView);

export type StoredActivity = z.input<typeof ActivityView>;

const withName = async <W extends { id: string; name?: string }>(id_project: string, subject: W): Promise<W> => {
  if (subject.name) return subject;
  const person = (await findPeople(id_project, [subject.id])).get(subject.id);
  const name = [person?.firstname, person?.lastname].filter(Boolean).join(' ');
  return name ? { ...subject, name } : subject;
};

const involvedUsers = (actor: CurrentActor, others: string[]): string[] => [
  ...new Set([...(actor.type === 'user' ? [actor.id] : []), ...others]),
];

/** Returns the activity that is derived from an event; null if there is none. */
const activityOf = async (event: LoggedEvent) => {
  const draft = await ACTIVITY_MAPPERS[event.event]?.(event);
  if (!draft) return null;
  const { verb, target, actionObj = {}, related, involved = [] } = draft;
  const { id_project, createdAt } = event;
  const actor = await withName(id_project, storedActor(draft.actor ?? event.actor ?? SYSTEM_ACTOR));
  return {
    // The creation of a conversation and the end of its preflight (see the glossary) both map to REQUEST_CREATE. The
    // fixed id ensures that only the first of them is stored.
    _id: verb === 'REQUEST_CREATE' ? target.id : newId(),
    ...{ id_project, verb, actor, actionObj, target, createdAt, updatedAt: currentTime(), __v: 0 },
    ...(related && { related: await withName(id_project, related) }),
    involvedUserIds: involvedUsers(actor, involved),
  };
};

/**
 * Records the activities that are derived from events, with one command. Idempotent: an event has at most one activity.
 */
export const record = async (events: IdentifiedEvent[]): Promise<void> => {
  const activities = await Promise.all(
    events.map((event) => withIdempotentIds(`activity ${event._id}`, () => activityOf(event))),
  );
  await insertMissingRecords(
    Activity,
    activities.filter((activity) => activity !== null),
    {},
  );
};

/** A filter for activities: their verbs, the user id of a person who is involved, and a time span. */
export interface ActivityFilter {
  verbs?: string[];
  user?: string;
  span?: { $gte?: Date; $lt?: Date } | null;
}

interface PageOptions {
  sort: Record<string, 1 | -1>;
  skip?: number;
  limit: number;
}

const mongoFilter = (id_project: string, { verbs, user, span }: ActivityFilter) => ({
  id_project,
  ...(verbs?.length && { verb: { $in: verbs } }),
  ...(user && { involvedUserIds: user }),
  ...(span && { createdAt: span }),
});

/** Returns a page of a project's activities and their total number. */
export const list = async (id_project: string, criteria: ActivityFilter, page: PageOptions) => {
  const filter = mongoFilter(id_project, criteria);
  const [count, found] = await Promise.all([
    countRecords(Activity, filter),
    readMany(Activity, filter, { fields: ACTIVITY_FIELDS, ...page }),
  ]);
  return { count, activities: found as StoredActivity[] };
};

/** Streams a project's activities, for lists that are too long to be held in memory. */
export const stream = (id_project: string, criteria: ActivityFilter, page: PageOptions) =>
  readEach(Activity, mongoFilter(id_project, criteria), {
    fields: ACTIVITY_FIELDS,
    ...page,
  }) as AsyncIterable<StoredActivity>;
