/** The projects of the whole instance, for those who run it (decision 53). */
import { ProjectUser } from '../../models/project-user.ts';
import { Project } from '../../models/project.ts';
import { User } from '../../models/user.ts';
import { readMany } from '../../read.ts';

const FIELDS = { _id: 1, name: 1, createdAt: 1, profile: 1 } as const;

/** E-mails of the projects' first owners, by project. */
const ownersOf = async (projects: string[]): Promise<Map<string, string>> => {
  const owners = { id_project: { $in: projects }, role: 'owner', status: 'active' as const, trashed: false };
  const members = await readMany(ProjectUser, owners, {
    fields: { id_project: 1, id_user: 1 },
    sort: { createdAt: -1 },
  });
  const ids = members.map(({ id_user }) => String(id_user));
  const users = await readMany(User, { _id: { $in: ids } }, { fields: { _id: 1, email: 1 } });
  const emails = new Map(users.map(({ _id, email }) => [String(_id), email]));
  return new Map(members.map(({ id_project, id_user }) => [id_project, emails.get(String(id_user)) ?? '']));
};

/** A page of all projects, in use or not, each with its owner (contract a 8.2). */
export const everyProject = async (page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) => {
  const projects = await readMany(Project, {}, { fields: FIELDS, ...page });
  const owners = await ownersOf(projects.map(({ _id }) => String(_id)));
  return projects.map(({ _id, name, createdAt, profile }) => {
    const owner = owners.get(String(_id));
    return { _id, name, createdAt, ...(owner ? { owner } : {}), profile_name: String(profile?.name ?? '') };
  });
};
