/** Custom events: what clients tell each other through a project (contract 6, part d B.3). */
import type { ClientSession, Types } from 'mongoose';
import type { z } from 'zod';
import { newId } from '../../context.ts';
import { emits } from '../../emits.ts';
import { notFound } from '../../errors.ts';
import { Event, EventView, type FiredEventView } from '../../models/event.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { makeOnce } from '../../mongo.ts';
import { spendBytes } from '../../project-bytes.ts';
import { fieldsOf, isId } from '../../view.ts';

/** What a custom event's name begins with (contract 6); where a client leaves it out, the event that is told has it. */
export const PREFIX = 'event.emit.';

const FIELDS = fieldsOf(EventView);

interface Fired {
  name: string;
  attributes?: Record<string, unknown>;
}

interface By {
  id: string;
  membership?: string;
}

const whole = (fired: Fired & { _id: string; id_project: string }, { id, membership }: By) =>
  new Event({ ...fired, project_user: membership, createdBy: id });

const toldAs = ({ name }: Fired) => emits(`${PREFIX}${name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name}`);

/** Keep an event and tell it. */
export const fire = async (id_project: string, fired: Fired, by: By) => {
  spendBytes(id_project, Buffer.byteLength(JSON.stringify(fired)));
  const record = whole({ ...fired, _id: newId(), id_project }, by);
  await makeOnce(() => record.save(toldAs(fired)));
  return record.toObject();
};

/** The same in the transaction of what it tells of; its id was made before. */
export const fireWithin = async (session: ClientSession, fired: Parameters<typeof whole>[0], by: By): Promise<void> => {
  await whole(fired, by).save({ session, ...toldAs(fired) });
};

interface Listed {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
}

/** A page of them, and how many there are. */
export const list = async (id_project: string, filter: { project_user?: string }, page: Listed) => {
  const [count, events] = await Promise.all([
    Event.countDocuments({ id_project, ...filter }),
    Event.find({ id_project, ...filter }, FIELDS, page).lean(),
  ]);
  return { count, events };
};

/** One of them; 404 for one that is not the project's. */
export const read = async (id_project: string, id: string) => {
  const event = isId(id) ? await Event.findOne({ _id: id, id_project }, FIELDS).lean() : null;
  if (!event) throw notFound('Event not found');
  return event;
};

const ANY = { anyProject: true }; // the relay's: it knows by the record whose it is
const byId = <R extends { _id: unknown }>(records: R[]) =>
  new Map(records.map((record) => [String(record._id), record]));

const membersOf = async (ids: string[]) => {
  const fields = { id_project: 1, role: 1, id_user: 1, uuid_user: 1 } as const;
  return byId(await ProjectUser.find({ _id: { $in: ids } }, fields, ANY).lean());
};

const peopleOf = async (ids: string[]) =>
  byId(await User.find({ _id: { $in: ids.filter(isId) } }, { email: 1, firstname: 1, lastname: 1 }).lean());

type Told = z.input<typeof FiredEventView>;

/** Events as they are told, with who fired them; for the relay. */
export const shownOf = async (keys: (Types.ObjectId | string)[]) => {
  const events = await Event.find({ _id: { $in: keys } }, FIELDS, ANY).lean();
  const [members, people] = await Promise.all([
    membersOf(events.flatMap(({ project_user }) => project_user ?? [])),
    peopleOf(events.map(({ createdBy }) => createdBy)),
  ]);
  return events.map(({ project_user, ...event }) => {
    const user = people.get(event.createdBy);
    const member = members.get(project_user ?? '');
    const fired = { ...event, id: event._id, user: user ?? { _id: event.createdBy } };
    const shown = member ? { ...fired, project_user: { ...member, id_user: user } } : fired;
    return { key: event._id, shown: shown as unknown as Told };
  });
};
