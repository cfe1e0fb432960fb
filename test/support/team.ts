/** A project's people, and the ids of their memberships. */
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import { changes } from './changes.ts';
import { aProject } from './people.ts';

/** As much of a listed teammate as is asked for. */
export interface Listed {
  _id: string;
  id_user: { _id: string };
}

/** A project with one of each, and how its teammates are listed and named. */
export const aTeam = async () => {
  const world = await aProject();
  const root = `/v3/${world.project.id}/project_users`;
  const list = async (query = '', by: Caller = world.agent) =>
    (await api(by).get(`${root}${query}`)).body as Listed[] & Record<string, unknown>[];
  const idOf = async ({ id }: Caller) => {
    const who = /^[0-9a-f]{24}$/.test(id) ? { id_user: id } : { uuid_user: id };
    return String((await ProjectUser.findOne({ id_project: world.project.id, ...who }).orFail())._id);
  };
  return { ...world, root, list, idOf };
};

/** What was told of the project, but of itself and of its first visitor. */
export const eventsOf = async (project: string) => {
  const events = (await changes(project)).map(({ event }) => event).filter((event) => !event.startsWith('project.'));
  return events[0] === 'projectuser.create' ? events.slice(1) : events;
};
