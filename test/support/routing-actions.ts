/**
 * Actions on a project whose conversations are routed. Each action is a name with plain arguments, so that it can be
 * sent to another process.
 */
import * as assignment from '#shared/domain/conversations/assignment/assign.ts';
import { assignWaiting } from '#shared/domain/conversations/assignment/waiting-conversations.ts';
import * as participants from '#shared/domain/conversations/assignment/participants.ts';
import { close, reopen } from '#shared/domain/conversations/lifecycle/close.ts';
import * as conversations from '#shared/domain/conversations/posting/post-message.ts';
import { AppError } from '#shared/errors.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { ProjectUser } from '#shared/models/project-user.ts';
import { changeProject } from './change-project.ts';

const OWNER = { kind: 'user', id: 'f'.repeat(24), role: 'owner', membership: 'f'.repeat(24) };
const visitorOf = (request_id: string) => ({ kind: 'guest', id: request_id, role: 'guest', membership: request_id });

interface ConversationKey {
  id_project: string;
  request_id: string;
}
interface ConversationAndUser extends ConversationKey {
  user: string;
}
interface ConversationAndDepartment extends ConversationKey {
  department: string;
}
interface SettingsChange {
  id_project: string;
  id: string;
  set: object;
}

const conversationKey = ({ id_project, request_id }: ConversationKey): ConversationKey => ({ id_project, request_id });

/** Actions on conversations call the product's functions; settings are written to the database. */
export const routingActions = {
  arrive: ({ department, ...where }: ConversationAndDepartment) =>
    conversations.create(conversationKey(where), { first_text: 'Hi', department }, visitorOf(where.request_id)),
  accept: ({ user, ...where }: ConversationAndUser) =>
    participants.add(conversationKey(where), user, { kind: 'user', id: user, role: 'agent' }),
  leave: ({ user, ...where }: ConversationAndUser) =>
    participants.remove(conversationKey(where), user, { kind: 'user', id: user, role: 'agent' }),
  close: (where: ConversationKey) => close(conversationKey(where), OWNER),
  reopen: (where: ConversationKey) => reopen(conversationKey(where)),
  handOver: (where: ConversationKey) => assignment.handOverToAgent(conversationKey(where), OWNER),
  assign: ({ department, ...where }: ConversationAndDepartment) =>
    assignment.assign(conversationKey(where), { department }, OWNER),
  move: ({ department, ...where }: ConversationAndDepartment) =>
    assignment.moveToDepartment(conversationKey(where), { department }, OWNER),
  teammate: ({ id_project, id, set }: SettingsChange) =>
    ProjectUser.updateOne({ id_project, id_user: id }, { $set: set }),
  project: ({ id, set }: SettingsChange) => changeProject(id, { $set: set }),
  department: ({ id_project, id, set }: SettingsChange) => Department.updateOne({ id_project, _id: id }, { $set: set }),
  group: ({ id_project, id, set }: SettingsChange) => Group.updateOne({ id_project, _id: id }, { $set: set }),
  serve: ({ id_project }: { id_project: string }) => assignWaiting(id_project),
};

export type RoutingActionName = keyof typeof routingActions;
/** An action with its arguments. */
export type RoutingAction = {
  [V in RoutingActionName]: { action: V; args: Parameters<(typeof routingActions)[V]>[0] };
}[RoutingActionName];

/** Performs an action. Errors of the product are ignored, because a concurrent action may make an action impossible. */
export const performAction = async ({ action, args }: RoutingAction): Promise<void> => {
  try {
    await routingActions[action](args as never);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};
