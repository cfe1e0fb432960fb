import { type Gates, gatesOf, refusal } from '#shared/domain/gates.ts';
import { AppError } from '#shared/errors.ts';
import { Recent } from '#shared/recent.ts';

/** A change of the gates holds in every process after this time. */
const KNOWN_MS = 900;
const known = new Recent<Gates>({ ttlMs: KNOWN_MS, max: 10_000 });

const read = async (project: string): Promise<Gates> => {
  const recent = known.get(project);
  if (recent) return recent;
  const gates = (await gatesOf(project)) ?? {};
  known.set(project, gates);
  return gates;
};

const UNDER_PROJECT = '/v3/:project_id/';

/** Let nobody pass under a project's path whom the project keeps out: 401 with the body of contract a 1.1. The project itself stays within reach of its admins. */
export const passGates = async (path: string, project: string, who: { ip: string; id: string }): Promise<void> => {
  if (!path.startsWith(UNDER_PROJECT)) return;
  const reason = refusal(await read(project), who);
  if (reason) throw new AppError(401, 'KEPT_OUT', reason).with({ body: { err: reason } });
};
