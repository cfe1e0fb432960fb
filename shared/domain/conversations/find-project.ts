/** Finds the project of a conversation for callers who know only the `request_id`. */
import { Conversation } from '../../models/conversation.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { isId } from '../../wire/view.ts';
import { type Actor, accessibleToVisitor, isTeam, unknownConversation } from './conversation.ts';

/** The caller. `project` is set for external users and programs, which exist in one project only. */
type ProjectActor = Actor & { project?: string };

interface ProjectAccess {
  id_project: string;
  /** Whether the caller is a teammate or a program of the project. */
  isTeamMember: boolean;
}

const accessibleProjects = async ({ kind, id, project }: ProjectActor): Promise<ProjectAccess[]> => {
  if (project) return [{ id_project: project, isTeamMember: kind !== 'userexternal' }];
  const who = isId(id) ? { id_user: id } : { uuid_user: id };
  const anyProject = { anyProject: true }; // reads the memberships of one user across projects
  const members = await ProjectUser.find({ ...who, ...ACTIVE_MEMBER }, { id_project: 1, role: 1 }, anyProject).lean();
  return members.map(({ id_project, role }) => ({ id_project, isTeamMember: isTeam({ kind, id, role }) }));
};

/**
 * Returns the only project of the caller with a conversation of this id that the caller may see; throws 404 for none or
 * several.
 */
export const findProject = async (request_id: string, actor: ProjectActor): Promise<string> => {
  const projects = await accessibleProjects(actor);
  const ids = projects.map(({ id_project }) => id_project);
  const team = projects.filter(({ isTeamMember }) => isTeamMember).map(({ id_project }) => id_project);
  const visible = { $or: [{ id_project: { $in: team } }, accessibleToVisitor(actor.id)] };
  const found = await Conversation.find({ id_project: { $in: ids }, request_id, ...visible }, { id_project: 1 })
    .limit(2)
    .lean();
  const [one, another] = found;
  if (!one || another || !(await Project.exists({ _id: one.id_project, status: PROJECT_ACTIVE })))
    throw unknownConversation({ request_id });
  return one.id_project;
};
