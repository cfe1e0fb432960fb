/** The activities of a project: who did what, written down as events tell it (contract b 12). */
import type { z } from 'zod';
import { type Doer, newId } from '../../context.ts';
import { Activity, ActivityView } from '../../models/activity.ts';
import { makeOnce } from '../../mongo.ts';
import { countOf, readEach, readMany } from '../../read.ts';
import { fieldsOf } from '../../view.ts';
import { peopleOf } from '../conversations/participating.ts';
import { conversationDeeds } from './conversation-deeds.ts';
import { knowledgeDeeds } from './knowledge-deeds.ts';
import { teamDeeds } from './team-deeds.ts';
import { SYSTEM, type Told } from './told.ts';

const DEEDS = { ...conversationDeeds, ...teamDeeds, ...knowledgeDeeds };
const FIELDS = fieldsOf(ActivityView);

/** An activity as it is stored. */
export type StoredActivity = z.input<typeof ActivityView>;

const named = async <W extends { id: string; name?: string }>(id_project: string, who: W): Promise<W> => {
  if (who.name) return who;
  const person = (await peopleOf(id_project, [who.id])).get(who.id);
  const name = [person?.firstname, person?.lastname].filter(Boolean).join(' ');
  return name ? { ...who, name } : who;
};

const involvedIn = (actor: Doer, others: string[]): string[] => [
  ...new Set([...(actor.type === 'user' ? [actor.id] : []), ...others]),
];

/** Write down what an event tells of, if it is an activity; once, however often the event is heard. */
export const note = async (told: Told): Promise<void> => {
  const deed = DEEDS[told.event]?.(told);
  if (!deed) return;
  const { verb, target, actionObj = {}, related, involved = [] } = deed;
  const { id_project, createdAt } = told;
  const actor = await named(id_project, deed.actor ?? told.by ?? SYSTEM);
  const activity = {
    // A conversation begins once, however its first moments are told.
    _id: verb === 'REQUEST_CREATE' ? target.id : newId(),
    ...{ id_project, verb, actor, actionObj, target, createdAt },
    ...(related && { related: await named(id_project, related) }),
    involvedUserIds: involvedIn(actor, involved),
  };
  await makeOnce(() => Activity.create([activity]));
};

/** Which activities are wanted: those of these verbs, with this user, of this time. */
export interface Wanted {
  verbs?: string[];
  user?: string;
  span?: { $gte?: Date; $lt?: Date } | null;
}

interface Page {
  sort: Record<string, 1 | -1>;
  skip?: number;
  limit: number;
}

const filterOf = (id_project: string, { verbs, user, span }: Wanted) => ({
  id_project,
  ...(verbs?.length && { verb: { $in: verbs } }),
  ...(user && { involvedUserIds: user }),
  ...(span && { createdAt: span }),
});

/** A page of a project's activities, and how many there are. */
export const list = async (id_project: string, wanted: Wanted, page: Page) => {
  const filter = filterOf(id_project, wanted);
  const [count, found] = await Promise.all([
    countOf(Activity, filter),
    readMany(Activity, filter, { fields: FIELDS, ...page }),
  ]);
  return { count, activities: found as StoredActivity[] };
};

/** The same one after the other, for lists that are too long to be held. */
export const each = (id_project: string, wanted: Wanted, page: Page) =>
  readEach(Activity, filterOf(id_project, wanted), { fields: FIELDS, ...page }) as AsyncIterable<StoredActivity>;
