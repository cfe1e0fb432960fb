/** Custom events: events that the clients of a project send to each other. */
import type { ClientSession, Types } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { notFound } from '../../errors.ts';
import { CustomEvent, type CustomEventPayloadView, CustomEventView } from '../../models/custom-event.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { consumeBytes } from '../../budgets/project-bytes.ts';
import { isId, projectionOf } from '../../wire/view.ts';
import { CUSTOM_EVENT_PREFIX, TYPING_NAMES } from './custom-event-names.ts';
import { readConversations, withConversation } from './typing-events.ts';

const EVENT_FIELDS = projectionOf(CustomEventView);

/** A custom event in the form that a client sends. */
export interface CustomEventInput {
  name: string;
  attributes?: Record<string, unknown>;
}

/** The author of an event: the caller's id and, if there is one, the id of the caller's membership. */
export interface EventAuthor {
  id: string;
  membership?: string;
}

type StoredInput = CustomEventInput & { request_id?: string };

const buildEvent = (event: StoredInput & { _id: string; id_project: string }, { id, membership }: EventAuthor) =>
  new CustomEvent({ ...event, project_user: membership, createdBy: id });

const saveOptions = ({ name }: CustomEventInput) =>
  emits(
    `${CUSTOM_EVENT_PREFIX}${name.startsWith(CUSTOM_EVENT_PREFIX) ? name.slice(CUSTOM_EVENT_PREFIX.length) : name}`,
  );

/**
 * Stores a custom event, emits it and returns it; `request_id` is the conversation of a typing event. Throws 429 if the
 * project's byte budget is exhausted.
 */
export const emit = async (id_project: string, input: StoredInput, author: EventAuthor) => {
  consumeBytes(id_project, Buffer.byteLength(JSON.stringify(input)));
  const record = buildEvent({ ...input, _id: newId(), id_project }, author);
  await insertIfAbsent(() => record.save(saveOptions(input)));
  const { request_id: _, ...event } = record.toObject();
  return event;
};

/** Stores and emits a custom event within a transaction. The caller generates its id. */
export const emitInTransaction = async (
  session: ClientSession,
  input: Parameters<typeof buildEvent>[0],
  author: EventAuthor,
): Promise<void> => {
  await buildEvent(input, author).save({ session, ...saveOptions(input) });
};

interface PageOptions {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

/** Returns a page of custom events and their total number. */
export const list = async (id_project: string, filter: { project_user?: string }, page: PageOptions) => {
  const [count, events] = await Promise.all([
    CustomEvent.countDocuments({ id_project, ...filter }),
    CustomEvent.find({ id_project, ...filter }, EVENT_FIELDS, page).lean(),
  ]);
  return { count, events };
};

/**
 * Returns the newest custom events of a member, newest first: those with the given names or, by default, all except
 * typing events.
 */
export const listNewest = (
  id_project: string,
  { project_user, names }: { project_user: string; names?: string[] },
  limit: number,
) =>
  CustomEvent.find({ id_project, project_user, name: names ? { $in: names } : { $nin: TYPING_NAMES } }, EVENT_FIELDS)
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .lean();

/** Reads a custom event. Throws 404 if the project has no event with this id. */
export const read = async (id_project: string, id: string) => {
  const event = isId(id) ? await CustomEvent.findOne({ _id: id, id_project }, EVENT_FIELDS).lean() : null;
  if (!event) throw notFound('Event not found');
  return event;
};

const ANY_PROJECT = { anyProject: true }; // the relay reads the records of all projects
const indexById = <R extends { _id: unknown }>(records: R[]) =>
  new Map(records.map((record) => [String(record._id), record]));

const membersOf = async (ids: string[]) => {
  const fields = { id_project: 1, role: 1, id_user: 1, uuid_user: 1 } as const;
  return indexById(await ProjectUser.find({ _id: { $in: ids } }, fields, ANY_PROJECT).lean());
};

const peopleOf = async (ids: string[]) =>
  indexById(await User.find({ _id: { $in: ids.filter(isId) } }, { email: 1, firstname: 1, lastname: 1 }).lean());

type EventPayload = z.input<typeof CustomEventPayloadView>;

/**
 * Reads custom events in the form that the relay emits: with their authors and, for typing events, their conversations.
 */
export const readForEvents = async (keys: (Types.ObjectId | string)[]) => {
  const fields = { ...EVENT_FIELDS, request_id: 1 } as const;
  const events = await CustomEvent.find({ _id: { $in: keys } }, fields, ANY_PROJECT).lean();
  const [members, people, conversations] = await Promise.all([
    membersOf(events.flatMap(({ project_user }) => project_user ?? [])),
    peopleOf(events.map(({ createdBy }) => createdBy)),
    readConversations(events),
  ]);
  return events.map(({ project_user, request_id, ...event }) => {
    const user = people.get(event.createdBy);
    const member = members.get(project_user ?? '');
    const eventView = { ...event, id: event._id, user: user ?? { _id: event.createdBy } };
    const view = member ? { ...eventView, project_user: { ...member, id_user: user } } : eventView;
    const key = { id_project: event.id_project, request_id };
    return { key: event._id, ...withConversation(view as unknown as EventPayload, key, conversations) };
  });
};
