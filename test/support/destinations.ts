/** Where conversations can be sent to, and by whom they can be taken. */
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from './api.ts';
import type { aConversation } from './conversations.ts';

type World = Awaited<ReturnType<typeof aConversation>>;

/** Another department of the conversation's project, one that assigns unless told otherwise. */
export const aDepartment = async ({ project, owner }: World, fields: object = {}) => {
  const department = { id_project: project.id, name: 'Sales', routing: 'assigned', createdBy: owner.id, ...fields };
  return String((await Department.create([department]))[0]?._id);
};

/** A bot of the project. */
export const aBot = async ({ project, owner }: World, name = 'Robo') => {
  const [bot] = await Bot.create([{ id_project: project.id, name, createdBy: owner.id }]);
  return String(bot?._id);
};

/** All of the team, or some of it, are away. */
export const away = ({ project }: World, ids?: string[]) =>
  ProjectUser.updateMany(
    { id_project: project.id, roleType: 1, ...(ids && { id_user: { $in: ids } }) },
    { $set: { user_available: false } },
  );

/** An agent's PUT of one of the verbs. */
export const put = ({ one, agent }: World, verb: string, body: object = {}) => api(agent).put(`${one}/${verb}`, body);
