/** The line of those who wait for a teammate, the oldest ticket first. */
import { Request, WAITING } from '../../models/request.ts';
import { readOne } from '../../read.ts';

const PAGE = 50;

const LEFT = 'abandoned_by_project_users';
const FIELDS = { request_id: 1, department: 1, ticket_id: 1, [`attributes.${LEFT}`]: 1 } as const;

/** As much of a waiting conversation as serving it needs. */
export interface Waiting {
  request_id: string;
  department: string;
  ticket_id: number;
  attributes?: object;
}

/** Of those without a teammate, who are to have one now. */
const WAITS = { ...WAITING, workingStatus: { $ne: 'pending' } } as const;

/** The same of one conversation. */
export const waits = (request: {
  status: number;
  preflight: boolean;
  smartAssignment: boolean;
  participants: string[];
  workingStatus?: string | null;
}): boolean =>
  request.status === WAITING.status &&
  !request.preflight &&
  request.smartAssignment &&
  !request.participants.length &&
  request.workingStatus !== 'pending';

/** Memberships whose teammates left a conversation, as its attributes tell. */
export const leftBy = (attributes: unknown): Set<string> => {
  const { [LEFT]: left } = (attributes ?? {}) as { [LEFT]?: object | null };
  return new Set(Object.keys(left ?? {}));
};

/** A place in a line. */
interface Place {
  id_project: string;
  department: string;
  /** Its ticket; whoever has just come stands behind all others. */
  ticket?: number;
}

/** True while somebody waits ahead of a place whom one of these teammates may take: others have their turn first. */
export const isBehind = async (
  { id_project, department, ticket = Number.MAX_SAFE_INTEGER }: Place,
  takers: { _id: string }[],
): Promise<boolean> => {
  const takeable = { $or: takers.map(({ _id }) => ({ [`attributes.${LEFT}.${_id}`]: null })) };
  const ahead = { id_project, department, ticket_id: { $lt: ticket }, ...WAITS, ...takeable };
  return (await readOne(Request, ahead, { _id: 1 })) !== null;
};

/** Those who wait in these departments, the oldest ticket first; read a page at a time. */
export async function* waiting(id_project: string, departments: string[]): AsyncGenerator<Waiting> {
  for (let ticket = 0; ; ) {
    const behind = { id_project, department: { $in: departments }, ticket_id: { $gt: ticket }, ...WAITS };
    const page = await Request.find(behind, FIELDS).sort({ ticket_id: 1 }).limit(PAGE).lean<Waiting[]>();
    yield* page;
    const last = page[PAGE - 1];
    if (!last) return;
    ticket = last.ticket_id;
  }
}

/** True where somebody of the project has no teammate. */
export const hasLine = async (id_project: string): Promise<boolean> =>
  (await Request.exists({ id_project, ...WAITING })) !== null;

/** The projects in which somebody has no teammate, one hop in the index for each. */
export async function* projectsWithLines(): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const next = { ...WAITING, id_project: { $gt: last } };
    const found = await Request.findOne(next, { id_project: 1 }, { anyProject: true }).sort({ id_project: 1 }).lean();
    if (!found) return;
    last = found.id_project;
    yield last;
  }
}
