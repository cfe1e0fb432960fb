/** Who is there to answer: the project's hours, and the teammates who take conversations now. */
import { ACTIVE, Project } from '../../models/project.ts';
import { ProjectUser, TEAM } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';
import { readMany } from '../../read.ts';
import { isId } from '../../view.ts';
import { serversOf } from './department-servers.ts';
import { hoursError, isProjectOpen, type Timed, WRONG } from './hours.ts';
import { isLapsed, type Stored } from './projects.ts';

const FIELDS = {
  activeOperatingHours: 1,
  operatingHours: 1,
  timeSlots: 1,
  settings: 1,
  profile: 1,
  createdAt: 1,
} as const;

type Judged = Timed & Parameters<typeof isLapsed>[1];
type Limited = Pick<Stored, 'settings'>;

const find = async (id: string): Promise<Judged & Limited> => {
  const project = isId(id) ? await Project.findOne({ _id: id, status: ACTIVE }, FIELDS).lean<Judged & Limited>() : null;
  if (!project) throw hoursError(WRONG.project, 'Project not found');
  return project;
};

/** Whether a project, or one of its time slots, is open at a moment; always where its plan has lapsed (contract a 8.5). */
export const isOpen = (project: Judged, when: { at: Date; timeSlot?: string }): boolean =>
  isLapsed(when.at.getTime(), project) || isProjectOpen(project, when);

/** The same of a project by its id. */
export const isOpenById = async (id: string, when: { at: Date; timeSlot?: string }): Promise<boolean> =>
  isOpen(await find(id), when);

/** Teammates who say that they are there. */
const available = (id_project: string) => ({
  id_project,
  roleType: TEAM,
  status: 'active' as const,
  trashed: false,
  user_available: true,
});
const MEMBER = { _id: 1, id_user: 1, max_assigned_chat: 1, number_assigned_requests: 1 } as const;

interface Member {
  _id: unknown;
  id_user?: unknown;
  max_assigned_chat?: number | null;
  number_assigned_requests?: number | null;
}

/** Whether a teammate may take one more conversation: its own limit, else the project's, where limits are on (contract a 8.4). */
const hasRoom = ({ settings }: Limited, member: Member): boolean => {
  const { chat_limit_on, max_agent_assigned_chat: most } = settings;
  if (!chat_limit_on || typeof most !== 'number' || !most) return true;
  const own = member.max_assigned_chat ?? 0;
  return (member.number_assigned_requests ?? 0) < (own === 0 || own === -1 ? most : own);
};

const NAMES = { _id: 1, firstname: 1, lastname: 1 } as const;

/** Members with the names of their accounts; one whose account is gone or disabled is left out. */
const named = async (members: Member[]) => {
  const ids = members.flatMap(({ id_user }) => (id_user ? [String(id_user)] : []));
  const users = ids.length ? await readMany(User, { _id: { $in: ids }, status: ACTIVE }, { fields: NAMES }) : [];
  const byId = new Map(users.map((user) => [String(user._id), user]));
  return members.flatMap((member) => {
    const user = byId.get(String(member.id_user));
    if (!user) return [];
    const [firstname, lastname] = [user.firstname ?? '', user.lastname ?? ''];
    return [{ id: String(member.id_user), firstname, lastname, member }];
  });
};

const shown = ({ id, firstname, lastname, member }: Awaited<ReturnType<typeof named>>[number]) => ({
  id,
  pu_id: String(member._id),
  firstname,
  lastname,
  fullname: [firstname, lastname].filter(Boolean).join(' '),
  assigned_request: member.number_assigned_requests ?? 0,
});

/** Who can take a conversation now; with `raw`, whatever the hours say (contract a 8.4, decision 16). */
export const availables = async (id_project: string, { raw, department }: { raw: boolean; department?: string }) => {
  const project = await find(id_project);
  const serving = department ? await serversOf(id_project, department) : null;
  if (!raw && !isOpen(project, { at: new Date() })) return [];
  const those = { ...available(id_project), ...(serving ? { id_user: { $in: serving } } : {}) };
  const members = await readMany(ProjectUser, those, { fields: MEMBER });
  return (await named(members.filter((member) => hasRoom(project, member)))).map(shown);
};

/** Ids and first names of who says to be there, whatever their load: what a widget shows while the project is open. */
export const presentIn = async (id_project: string) =>
  (await named(await readMany(ProjectUser, available(id_project), { fields: MEMBER }))).map(({ id, firstname }) => ({
    id,
    firstname,
  }));
