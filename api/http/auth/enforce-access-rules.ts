/** Enforces the access rules of a project (banned visitors, allowed addresses) on the calls under its path. */
import { accessKey } from '#shared/domain/access/access-changes.ts';
import {
  assertProjectAccess,
  findAccessRules,
  type ProjectAccessRules,
} from '#shared/domain/access/project-access-rules.ts';
import { AccessCache } from './access-cache.ts';
import type { Actor } from './actor.ts';

const rulesCache = new AccessCache<ProjectAccessRules>(10_000);

const loadRules = async (project: string): Promise<ProjectAccessRules> =>
  (await rulesCache.load(project, async () => ({
    value: (await findAccessRules(project)) ?? {},
    accessKeys: [accessKey({ project })],
  }))) ?? {};

const PROJECT_PATH_PREFIX = '/v3/:project_id/';

const UNRESTRICTED_ACTOR_KINDS = ['user', 'bot', 'subscription'];

/**
 * Throws 401 for a caller that the access rules of the project reject. Applies to `/v3/:project_id/…` only, so that
 * admins can still change the rules on `/v3/projects/:project_id`.
 */
export const enforceAccessRules = async (
  path: string,
  project: string,
  { ip, actor }: { ip: string; actor: Actor },
) => {
  if (!path.startsWith(PROJECT_PATH_PREFIX)) return;
  const caller = { ip, id: actor.id, isVisitor: !UNRESTRICTED_ACTOR_KINDS.includes(actor.kind) };
  assertProjectAccess((await rulesCache.get(project)) ?? (await loadRules(project)), caller);
};
