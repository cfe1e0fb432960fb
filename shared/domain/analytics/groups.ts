/** The departments and participants that analytics group conversations by, with their names. */
import { readMany } from '../../database/raw-read.ts';
import { Bot } from '../../models/bot.ts';
import { Department } from '../../models/department.ts';
import { ProjectUser, TEAM_ROLE_TYPE } from '../../models/project-user.ts';
import { BOT_PREFIX, participantName } from '../conversations/participants.ts';

/** A department or participant. */
export interface Group {
  id: string;
  name: string;
}

/** Lists the departments of a project. */
export const listDepartments = async (id_project: string): Promise<Group[]> => {
  const departments = await readMany(Department, { id_project }, { fields: { _id: 1, name: 1 } });
  return departments.map(({ _id, name }) => ({ id: String(_id), name }));
};

/** Lists the possible participants of a project's conversations: its teammates and bots, including trashed ones. */
export const listParticipants = async (id_project: string): Promise<Group[]> => {
  const [teammates, bots] = await Promise.all([
    readMany(ProjectUser, { id_project, roleType: TEAM_ROLE_TYPE }, { fields: { id_user: 1 } }),
    readMany(Bot, { id_project }, { fields: { _id: 1 } }),
  ]);
  const ids = [
    ...teammates.flatMap(({ id_user }) => (id_user ? [String(id_user)] : [])),
    ...bots.map(({ _id }) => BOT_PREFIX + String(_id)),
  ];
  return Promise.all(ids.map(async (id) => ({ id, name: (await participantName(id_project, id)) || id })));
};
