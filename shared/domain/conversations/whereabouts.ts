/** Where a conversation is, for those who know its id alone (decision 39). */
import { ACTIVE, Project } from '../../models/project.ts';
import { ProjectUser } from '../../models/project-user.ts';
import { Request } from '../../models/request.ts';
import { isId } from '../../view.ts';
import { isTeam, ofVisitor, type Speaker, unknown } from './requests.ts';

/** Who asks; the project vouches for its own users and programs in itself alone. */
type Asking = Speaker & { project?: string };

interface Place {
  id_project: string;
  /** True for who works there, and for its programs. */
  team: boolean;
}

const placesOf = async ({ kind, id, project }: Asking): Promise<Place[]> => {
  if (project) return [{ id_project: project, team: kind !== 'userexternal' }];
  const who = isId(id) ? { id_user: id } : { uuid_user: id };
  const anyProject = { anyProject: true }; // whose projects are asked for
  const active = { ...who, status: 'active' as const, trashed: false };
  const members = await ProjectUser.find(active, { id_project: 1, role: 1 }, anyProject).lean();
  return members.map(({ id_project, role }) => ({ id_project, team: isTeam({ kind, id, role }) }));
};

/** The one of the caller's projects that has a conversation of this id which the caller may see; 404 for none or several. */
export const projectOf = async (request_id: string, by: Asking): Promise<string> => {
  const places = await placesOf(by);
  const ids = places.map(({ id_project }) => id_project);
  const team = places.filter((place) => place.team).map(({ id_project }) => id_project);
  const seen = { $or: [{ id_project: { $in: team } }, ofVisitor(by.id)] };
  const found = await Request.find({ id_project: { $in: ids }, request_id, ...seen }, { id_project: 1 })
    .limit(2)
    .lean();
  const [one, another] = found;
  if (!one || another || !(await Project.exists({ _id: one.id_project, status: ACTIVE })))
    throw unknown({ request_id });
  return one.id_project;
};
