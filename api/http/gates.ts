import { nameOf } from '#shared/domain/access/access.ts';
import { type Gates, gatesOf, refusal } from '#shared/domain/access/gates.ts';
import { AppError } from '#shared/errors.ts';
import { AccessCache } from './access-cache.ts';

const known = new AccessCache<Gates>(10_000);

const learn = async (project: string): Promise<Gates> =>
  (await known.load(project, async () => ({
    value: (await gatesOf(project)) ?? {},
    names: [nameOf({ project })],
  }))) ?? {};

const UNDER_PROJECT = '/v3/:project_id/';

/** Let nobody pass under a project's path whom the project keeps out: 401 with the body of contract a 1.1. The project itself stays within reach of its admins. */
export const passGates = async (path: string, project: string, who: { ip: string; id: string }): Promise<void> => {
  if (!path.startsWith(UNDER_PROJECT)) return;
  const reason = refusal((await known.get(project)) ?? (await learn(project)), who);
  if (reason) throw new AppError(401, 'KEPT_OUT', reason).with({ body: { err: reason } });
};
