/** Seeds projects with many records but emits no events, so that only a rebuild of the rollups counts the records. */
import type { Collection } from 'mongoose';
import { Conversation } from '#shared/models/conversation.ts';
import { CustomEvent } from '#shared/models/custom-event.ts';
import { Message } from '#shared/models/message.ts';
import { seededRandom } from '../../scripts/seed/seeded-random.ts';
import { aCustomEvent, seedConversations } from './analytics-records.ts';
import { times } from './fleet-fixture.ts';
import { aProject, type Person } from './people.ts';
import { printDuration } from './print-duration.ts';

const SEED = 17;
const CONVERSATIONS_PER_CUSTOM_EVENT = 20;
/** Enough for a small project to have custom events of every name on every day, as a large one does. */
const MIN_CUSTOM_EVENTS = 500;
const CUSTOM_EVENTS_PER_BATCH = 10_000;
/** From this number of conversations on, inserting without indexes and building the indexes afterwards is faster. */
const MANY_CONVERSATIONS = 10_000;

/** A project whose records are not yet counted in the rollups. */
export interface AnalyticsProject {
  id_project: string;
  admin: Person;
  random: () => number;
  now: number;
}

/** Drops the indexes of collections, runs `insert`, and rebuilds all indexes of each collection together. */
const withoutIndexes = async (collections: Collection[], insert: () => Promise<void>): Promise<void> => {
  const indexes = await Promise.all(collections.map((collection) => collection.indexes()));
  await Promise.all(collections.map((collection) => collection.dropIndexes()));
  await printDuration(async () => {
    await insert();
    return 'Records inserted';
  });
  await printDuration(async () => {
    for (const [position, collection] of collections.entries())
      await collection.createIndexes((indexes[position] ?? []).filter(({ name }) => name !== '_id_'));
    return 'Indexes built';
  });
};

const seedCustomEvents = async ({ id_project, random, now }: AnalyticsProject, count: number): Promise<void> => {
  for (let first = 0; first < count; first += CUSTOM_EVENTS_PER_BATCH) {
    const size = Math.min(CUSTOM_EVENTS_PER_BATCH, count - first);
    const events = times(size, () => aCustomEvent(id_project, random, { now }));
    await CustomEvent.collection.insertMany(events, { ordered: false });
  }
};

/** A project with `count` conversations, about as many messages, and custom events. None of these is counted yet. */
export const aSeededProject = async (count: number): Promise<AnalyticsProject> => {
  const { project, admin } = await aProject();
  const seeded = { id_project: project.id, admin, random: seededRandom(SEED), now: Date.now() };
  const seed = async () => {
    await seedConversations(seeded.id_project, { ...seeded, count, messagesEach: 2 });
    await seedCustomEvents(seeded, Math.max(MIN_CUSTOM_EVENTS, Math.ceil(count / CONVERSATIONS_PER_CUSTOM_EVENT)));
  };
  const collections = [Conversation.collection, Message.collection];
  await (count < MANY_CONVERSATIONS ? seed() : withoutIndexes(collections, seed));
  return seeded;
};
