/** Lists the projects of the whole instance, for instance administrators. */
import { readMany } from '../../database/raw-read.ts';
import { Project } from '../../models/project.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { User } from '../../models/user.ts';

const PROJECT_FIELDS = { _id: 1, name: 1, createdAt: 1, profile: 1 } as const;

/** Returns the email address of the first owner of each project, by project id. */
const ownerEmails = async (projects: string[]): Promise<Map<string, string>> => {
  const owners = { id_project: { $in: projects }, role: 'owner', ...ACTIVE_MEMBER };
  const members = await readMany(ProjectUser, owners, {
    fields: { id_project: 1, id_user: 1 },
    sort: { createdAt: -1 },
  });
  const ids = members.map(({ id_user }) => String(id_user));
  const users = await readMany(User, { _id: { $in: ids } }, { fields: { _id: 1, email: 1 } });
  const emails = new Map(users.map(({ _id, email }) => [String(_id), email]));
  return new Map(members.map(({ id_project, id_user }) => [id_project, emails.get(String(id_user)) ?? '']));
};

/** Returns a page of all projects, including disabled ones, each with the email address of its first owner. */
export const listAllProjects = async (page: { sort: Record<string, 1 | -1>; skip: number; limit: number }) => {
  const projects = await readMany(Project, {}, { fields: PROJECT_FIELDS, ...page });
  const owners = await ownerEmails(projects.map(({ _id }) => String(_id)));
  return projects.map(({ _id, name, createdAt, profile }) => {
    const owner = owners.get(String(_id));
    return { _id, name, createdAt, ...(owner ? { owner } : {}), profile_name: String(profile?.name ?? '') };
  });
};
