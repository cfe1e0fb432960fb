import { nameOf } from '#shared/domain/access/access.ts';
import { type Gates, gatesOf, mustPass } from '#shared/domain/access/gates.ts';
import { AccessCache } from './access-cache.ts';
import type { Actor } from './actor.ts';

const known = new AccessCache<Gates>(10_000);

const learn = async (project: string): Promise<Gates> =>
  (await known.load(project, async () => ({
    value: (await gatesOf(project)) ?? {},
    names: [nameOf({ project })],
  }))) ?? {};

const UNDER_PROJECT = '/v3/:project_id/';

const TEAM_AND_PROGRAMS = ['user', 'bot', 'subscription'];

/** Let nobody pass under a project's path whom the project keeps out: 401. The project itself stays within reach of its admins. */
export const passGates = async (path: string, project: string, { ip, actor }: { ip: string; actor: Actor }) => {
  if (!path.startsWith(UNDER_PROJECT)) return;
  const comer = { ip, id: actor.id, visitor: !TEAM_AND_PROGRAMS.includes(actor.kind) };
  mustPass((await known.get(project)) ?? (await learn(project)), comer);
};
