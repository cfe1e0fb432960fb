/** What is done with teammates (contract b 12.3, d D.3). */
import { type Deed, type Fields, pick, type Told } from './told.ts';

const KEPT = [
  ...['_id', 'id_project', 'id_user', 'role', 'user_available', 'status', 'trashed'],
  ...['firstname', 'lastname', 'email', 'createdBy', 'createdAt'],
];

const accountOf = ({ id_user }: Fields) => (id_user ?? {}) as { _id?: unknown; email?: string };

const involved = (member: Fields): string[] => {
  const { _id } = accountOf(member);
  return _id ? [String(_id)] : [];
};

const done = (verb: string, { payload, record }: Told, { type = 'project_user', ...more }: Fields = {}): Deed => ({
  verb,
  target: { type: type as string, id: record, object: pick(payload, KEPT) },
  actionObj: {
    ...pick(payload, ['id_project', 'role', 'user_available']),
    email: accountOf(payload).email ?? payload.email,
    ...more,
  },
  involved: involved(payload),
});

const isOwn = ({ by, payload }: Told): boolean => by !== undefined && involved(payload).includes(by.id);

/** What somebody changes of another's membership; presence and load change by themselves. */
const updated = (told: Told): Deed | null => (told.by && !isOwn(told) ? done('PROJECT_USER_UPDATE', told) : null);

/** Availability, by the teammate, by a program or by a client of itself; another teammate's change of it is an update. */
const available = ({
  payload: { project_user, user_available, availabilityInitiator },
  ...event
}: Told): Deed | null => {
  const told = { ...event, payload: { ...(project_user as Fields), user_available } };
  if (availabilityInitiator === 'system') return done('PROJECT_USER_AVAILABILITY_SYSTEM', told);
  if (isOwn(told)) return done('PROJECT_USER_AVAILABILITY_SELF', told);
  return told.by?.type === 'user' ? null : done('PROJECT_USER_AVAILABILITY_SYSTEM', told);
};

/** By event. */
export const teamDeeds: Record<string, (told: Told) => Deed | null> = {
  'project_user.invite': (told) => done('PROJECT_USER_INVITE', told, { inviteType: 'registered' }),
  'project_user.invite.pending': (told) =>
    done('PROJECT_USER_INVITE', told, { type: 'pendinginvitation', inviteType: 'pending' }),
  'project_user.update.agent': updated,
  'project_user.update.availability': available,
  'project_user.delete': (told) => done('PROJECT_USER_DELETE', told),
};
