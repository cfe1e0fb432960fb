/** What can happen to a project whose conversations are routed, each by its name and plain words, so that any process can do it. */
import { AppError } from '#shared/errors.ts';
import * as assigning from '#shared/domain/conversations/assigning.ts';
import { close, reopen } from '#shared/domain/conversations/closing.ts';
import * as conversations from '#shared/domain/conversations/conversations.ts';
import * as participants from '#shared/domain/conversations/participants.ts';
import { serveWaiting } from '#shared/domain/conversations/serving.ts';
import { Department } from '#shared/models/department.ts';
import { Group } from '#shared/models/group.ts';
import { Project } from '#shared/models/project.ts';
import { ProjectUser } from '#shared/models/project-user.ts';

const OWNER = { kind: 'user', id: 'f'.repeat(24), role: 'owner', membership: 'f'.repeat(24) };
const visitorOf = (request_id: string) => ({ kind: 'guest', id: request_id, role: 'guest', membership: request_id });

interface Where {
  id_project: string;
  request_id: string;
}
interface WithUser extends Where {
  user: string;
}
interface WithDepartment extends Where {
  department: string;
}
interface Settings {
  id_project: string;
  id: string;
  set: object;
}

const at = ({ id_project, request_id }: Where): Where => ({ id_project, request_id });

/** The verbs of conversations are the product's; settings are written as they would be stored. */
export const verbs = {
  arrive: ({ department, ...where }: WithDepartment) =>
    conversations.create(at(where), { first_text: 'Hi', department }, visitorOf(where.request_id)),
  accept: ({ user, ...where }: WithUser) =>
    participants.add(at(where), user, { kind: 'user', id: user, role: 'agent' }),
  leave: ({ user, ...where }: WithUser) =>
    participants.remove(at(where), user, { kind: 'user', id: user, role: 'agent' }),
  close: (where: Where) => close(at(where), OWNER),
  reopen: (where: Where) => reopen(at(where)),
  handOver: (where: Where) => assigning.handOver(at(where), OWNER),
  assign: ({ department, ...where }: WithDepartment) => assigning.assign(at(where), { department }, OWNER),
  move: ({ department, ...where }: WithDepartment) => assigning.moveToDepartment(at(where), { department }, OWNER),
  teammate: ({ id_project, id, set }: Settings) => ProjectUser.updateOne({ id_project, id_user: id }, { $set: set }),
  project: ({ id, set }: Settings) => Project.updateOne({ _id: id }, { $set: set }),
  department: ({ id_project, id, set }: Settings) => Department.updateOne({ id_project, _id: id }, { $set: set }),
  group: ({ id_project, id, set }: Settings) => Group.updateOne({ id_project, _id: id }, { $set: set }),
  serve: ({ id_project }: { id_project: string }) => serveWaiting(id_project),
};

export type Verb = keyof typeof verbs;
/** A verb with its words. */
export type Deed = { [V in Verb]: { verb: V; words: Parameters<(typeof verbs)[V]>[0] } }[Verb];

/** Do it; what is refused to whoever asks, because of what somebody else did, is an answer like any other. */
export const perform = async ({ verb, words }: Deed): Promise<void> => {
  try {
    await verbs[verb](words as never);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};
