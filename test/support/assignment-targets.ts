/** Departments, bots and agents that conversations can be assigned to. */
import { Bot } from '#shared/models/bot.ts';
import { Department } from '#shared/models/department.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { api } from './api.ts';
import type { aConversation } from './conversations.ts';

type ConversationFixture = Awaited<ReturnType<typeof aConversation>>;

/** Creates another department in the conversation's project, by default with `assigned` routing. Returns its id. */
export const aDepartment = async ({ project, owner }: ConversationFixture, fields: object = {}) => {
  const department = { id_project: project.id, name: 'Sales', routing: 'assigned', createdBy: owner.id, ...fields };
  return String((await Department.create([department]))[0]?._id);
};

/** Creates a bot in the project. Returns its id. */
export const aBotId = async ({ project, owner }: ConversationFixture, name = 'Robo') => {
  const [bot] = await Bot.create([{ id_project: project.id, name, createdBy: owner.id }]);
  return String(bot?._id);
};

/** Makes the whole team, or the given teammates, unavailable. */
export const setUnavailable = ({ project }: ConversationFixture, ids?: string[]) =>
  ProjectUser.updateMany(
    { id_project: project.id, roleType: 1, ...(ids && { id_user: { $in: ids } }) },
    { $set: { user_available: false } },
  );

/** Sends a PUT to a path below the conversation, as its agent. */
export const putAsAgent = ({ one, agent }: ConversationFixture, path: string, body: object = {}) =>
  api(agent).put(`${one}/${path}`, body);
