/** Claims that came to nothing. */
import type { Types } from 'mongoose';
import { ProjectUser } from '../../models/project-user.ts';
import { Request } from '../../models/request.ts';
import { readMany } from '../../read.ts';
import { carriers, drop } from './claims.ts';

const SETTLED_MS = 60_000;
const CARRIED = { _id: 1, status: 1, workingStatus: 1, participantsAgents: 1 } as const;

type Holder = { id_project: string; id_user?: Types.ObjectId | null; claims: { request: string; at: Date }[] };

/** Those of the claims that no conversation bears out. */
const idle = async ({ id_project, id_user }: Holder, claims: string[]): Promise<string[]> => {
  const requests = await readMany(Request, { id_project, _id: { $in: claims } }, { fields: CARRIED });
  const own = requests.filter((request) => carriers(request).includes(String(id_user)));
  const carried = new Set(own.map(({ _id }) => String(_id)));
  return claims.filter((request) => !carried.has(request));
};

/** Drop the claims that came to nothing, such as those of a process that was killed between claim and opening; their number. */
export const sweepClaims = async (settledMs = SETTLED_MS): Promise<number> => {
  const old = { $lt: new Date(Date.now() - settledMs) };
  const anyProject = { anyProject: true };
  const holders = ProjectUser.find({ 'claims.at': old }, { id_project: 1, id_user: 1, claims: 1 }, anyProject)
    .lean<Holder>()
    .cursor();
  let dropped = 0;
  for await (const holder of holders) {
    const aged = holder.claims.filter(({ at }) => at < old.$lt).map(({ request }) => request);
    const requests = await idle(holder, aged);
    if (requests.length) await drop({ id_project: holder.id_project, id_user: String(holder.id_user) }, requests);
    dropped += requests.length;
  }
  return dropped;
};
