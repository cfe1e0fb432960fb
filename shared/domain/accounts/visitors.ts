/** Creates visitors of a project. */
import { newUuid } from '../../context.ts';
import { insertIfAbsent } from '../../database/unique-keys.ts';
import { emits } from '../../events.ts';
import { notFound } from '../../errors.ts';
import { ProjectUser, VISITOR_ROLE_TYPE } from '../../models/project-user.ts';
import { assertAllowed, findAccessRules } from '../access/project-access-rules.ts';

/** What visitors say about themselves, which is not verified. */
export interface VisitorProfile {
  firstname?: string;
  lastname?: string;
  email?: string;
  attributes?: Record<string, unknown>;
}

/**
 * Creates a visitor, whose only credential will be its token.
 * Errors: 401 for an IP address that the project denies, 404 for an unknown or disabled project.
 */
export const createVisitor = async (project: string, profile: VisitorProfile, ip = '') => {
  const rules = await findAccessRules(project);
  if (!rules) throw notFound('Project not found');
  assertAllowed(rules, { ip, id: '', isVisitor: true });
  const id = newUuid();
  const firstname = profile.firstname || `guest#${id.slice(0, 4)}`;
  const { attributes } = profile;
  const member = {
    uuid_user: id,
    role: 'guest',
    roleType: VISITOR_ROLE_TYPE,
    last_login_at: new Date(),
    createdBy: id,
  };
  const membership = { id_project: project, ...member, ...(attributes && { attributes }) };
  await insertIfAbsent(() => ProjectUser.create([membership], emits('projectuser.create')));
  const fullName = [firstname, profile.lastname].filter(Boolean).join(' ');
  return { ...profile, _id: id, id, firstname, fullName };
};
