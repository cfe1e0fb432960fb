import type { ClientSession, Schema } from 'mongoose';
import { AppError } from '../../errors.ts';

/** Records of one project, by collection: what people make by hand, and what is listed without pages. */
export const CAPS: Readonly<Record<string, number>> = {
  departments: 1000,
  groups: 1000,
  bots: 200,
  subscriptions: 200,
  pending_invitations: 1000,
  kb_namespaces: 200,
  tags: 1000,
  canned: 2000,
  segments: 1000,
  properties: 500,
};

const full = (name: string, most: number) =>
  new AppError(403, 'LIMIT_REACHED', `${name}: a project has at most ${most}; delete some that are not needed`).with({
    body: { plan_limit: most },
  });

/** As much of a model as the cap reads. */
interface Countable {
  countDocuments(filter: object, options: object): PromiseLike<number> & { limit(most: number): PromiseLike<number> };
}

/** As much of a new record as the cap reads. */
interface New {
  _id: string;
  id_project: string;
  isNew: boolean;
  constructor: unknown;
  $session(): ClientSession | null;
}

const isFull = async (record: New, most: number): Promise<boolean> => {
  const { _id, id_project } = record;
  const model = record.constructor as Countable;
  const session = record.$session();
  if ((await model.countDocuments({ id_project }, { session }).limit(most)) < most) return false;
  return !(await model.countDocuments({ _id, id_project }, { session })); // an earlier attempt has made it
};

/**
 * Refuse a new record (403) where the project has as many as `CAPS` allows. The records are counted when one is made, so calls at the same
 * moment may pass the cap by their number. Trashed records count. Scripts that write in bulk are not capped.
 */
export const capped = (schema: Schema, name: string): void => {
  const most = CAPS[name];
  if (most === undefined) return;
  schema.pre('save', async function refuse() {
    if (this.isNew && (await isFull(this as unknown as New, most))) throw full(name, most);
  });
};
