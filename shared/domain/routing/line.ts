/** The line of those who wait for a teammate, the oldest ticket first. */
import { Request, WAITING } from '../../models/request.ts';
import { readOne } from '../../read.ts';

/** As much of a waiting conversation as serving it needs. */
const FIELDS = { request_id: 1, department: 1, ticket_id: 1, attributes: 1 } as const;

const waiting = { ...WAITING, workingStatus: { $ne: 'pending' } } as const;

/** Memberships whose teammates left a conversation, as its attributes tell. */
export const leftBy = (attributes: unknown): Set<string> => {
  const { abandoned_by_project_users: left } = (attributes ?? {}) as { abandoned_by_project_users?: object | null };
  return new Set(Object.keys(left ?? {}));
};

/** True while somebody waits in a department whom every teammate may take: whoever comes now stands behind. */
export const anybodyWaits = async (id_project: string, department: string): Promise<boolean> => {
  const unleft = { 'attributes.abandoned_by_project_users': { $in: [null, {}] } };
  const filter = { id_project, department, ...waiting, ...unleft };
  return (await readOne(Request, filter as { id_project: string }, { _id: 1 })) !== null;
};

/** The oldest of those who wait in these departments, behind a ticket. */
export const firstInLine = (id_project: string, departments: string[], behind: number) => {
  const filter = { id_project, department: { $in: departments }, ticket_id: { $gt: behind }, ...waiting };
  return Request.findOne(filter, FIELDS).sort({ ticket_id: 1 }).lean();
};
