/** Creates visitors of a project. */
import { hash } from 'node:crypto';
import { newUuid } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { notFound } from '../../errors.ts';
import { ProjectUser, VISITOR_ROLE_TYPE } from '../../models/project-user.ts';
import { currentTime } from '../../time/clock.ts';
import { assertAllowed, findAccessRules } from '../access/cached-project.ts';

/** The data that visitors give about themselves. It is not verified. */
export interface VisitorProfile {
  firstname?: string;
  lastname?: string;
  email?: string;
  attributes?: Record<string, unknown>;
}

const storeVisitor = (id_project: string, id: string, fields: object): Promise<boolean> => {
  const member = { uuid_user: id, role: 'guest', roleType: VISITOR_ROLE_TYPE, createdBy: id };
  return insertIfAbsent(() => ProjectUser.create([{ id_project, ...member, ...fields }], emits('projectuser.create')));
};

/** Returns the id of the visitor who writes to a project by email. The id is derived from the email address. */
const idOfAddress = (id_project: string, address: string): string => {
  const digits = hash('sha256', `${id_project} ${address}`);
  return [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`]
    .concat(digits.slice(20, 32))
    .join('-');
};

/** The ids of a visitor and of the visitor's membership. */
export interface VisitorRef {
  id: string;
  membership: string;
}

/**
 * Returns the visitor who writes to a project by email from the given address. If there is none, creates the visitor
 * without credentials.
 */
export const visitorOfAddress = async (id_project: string, address: string): Promise<VisitorRef> => {
  const id = idOfAddress(id_project, address);
  await storeVisitor(id_project, id, {});
  const { _id } = await ProjectUser.findOne({ id_project, uuid_user: id }, { _id: 1 }).orFail().lean();
  return { id, membership: String(_id) };
};

/**
 * Creates a visitor. The only credential of a visitor is a token.
 * Errors: 401 for an IP address that the project denies, 404 for an unknown or disabled project.
 */
export const createVisitor = async (project: string, profile: VisitorProfile, ip = '') => {
  const rules = await findAccessRules(project);
  if (!rules) throw notFound('Project not found');
  assertAllowed(rules, { ip, id: '', isVisitor: true });
  const id = newUuid();
  const firstname = profile.firstname || `guest#${id.slice(0, 4)}`;
  const { attributes } = profile;
  await storeVisitor(project, id, { last_login_at: currentTime(), ...(attributes && { attributes }) });
  const fullName = [firstname, profile.lastname].filter(Boolean).join(' ');
  return { ...profile, _id: id, id, firstname, fullName };
};
