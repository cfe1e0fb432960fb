/** Finds the project of a conversation for callers that provide only the `request_id`. */
import { Conversation } from '../../models/conversation.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { ACTIVE_MEMBER, ProjectUser } from '../../models/project-user.ts';
import { isId } from '../../wire/view.ts';
import { type Actor, accessibleToVisitor, isTeam, conversationNotFound } from './conversation.ts';

/** The caller. `project` is set for programs and for users of a project's own system: they have only one project. */
type ProjectActor = Actor & { project?: string };

interface ProjectAccess {
  id_project: string;
  /** Whether the caller is a teammate or a program of the project. */
  isTeamMember: boolean;
}

const accessibleProjects = async ({ kind, id, project }: ProjectActor): Promise<ProjectAccess[]> => {
  if (project) return [{ id_project: project, isTeamMember: kind !== 'userexternal' }];
  const userFilter = isId(id) ? { id_user: id } : { uuid_user: id };
  const anyProject = { anyProject: true }; // the filter restricts the query to one user's memberships
  const members = await ProjectUser.find(
    { ...userFilter, ...ACTIVE_MEMBER },
    { id_project: 1, role: 1 },
    anyProject,
  ).lean();
  return members.map(({ id_project, role }) => ({ id_project, isTeamMember: isTeam({ kind, id, role }) }));
};

/**
 * Returns the project in which the caller may see a conversation with this id. Throws 404 if there is no such project
 * or more than one, or if the project is disabled.
 */
export const findProject = async (request_id: string, actor: ProjectActor): Promise<string> => {
  const projects = await accessibleProjects(actor);
  const ids = projects.map(({ id_project }) => id_project);
  const team = projects.filter(({ isTeamMember }) => isTeamMember).map(({ id_project }) => id_project);
  const visible = { $or: [{ id_project: { $in: team } }, accessibleToVisitor(actor.id)] };
  const found = await Conversation.find({ id_project: { $in: ids }, request_id, ...visible }, { id_project: 1 })
    .limit(2)
    .lean();
  const [match, secondMatch] = found;
  if (!match || secondMatch || !(await Project.exists({ _id: match.id_project, status: PROJECT_ACTIVE })))
    throw conversationNotFound({ request_id });
  return match.id_project;
};
