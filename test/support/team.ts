/** A project's team, and the ids of its memberships. */
import { ProjectUser } from '#shared/models/project-user.ts';
import { api, type Caller } from './api.ts';
import { relayedChanges } from './changes-log.ts';
import { aProject } from './people.ts';

/** The fields of a listed teammate that tests use. */
export interface ListedTeammate {
  _id: string;
  id_user: { _id: string };
}

/** A project with its team, and helpers to list its teammates and find their ids. */
export const aTeam = async () => {
  const fixture = await aProject();
  const root = `/v3/${fixture.project.id}/project_users`;
  const list = async (query = '', by: Caller = fixture.agent) =>
    (await api(by).get(`${root}${query}`)).body as ListedTeammate[] & Record<string, unknown>[];
  const membershipId = async ({ id }: Caller) => {
    const who = /^[0-9a-f]{24}$/.test(id) ? { id_user: id } : { uuid_user: id };
    return String((await ProjectUser.findOne({ id_project: fixture.project.id, ...who }).orFail())._id);
  };
  return { ...fixture, root, list, membershipId: membershipId };
};

/** Names of the project's events, except `project.*` and the creation of its first visitor. */
export const teamEvents = async (project: string) => {
  const events = (await relayedChanges(project))
    .map(({ event }) => event)
    .filter((event) => !event.startsWith('project.'));
  return events[0] === 'projectuser.create' ? events.slice(1) : events;
};
