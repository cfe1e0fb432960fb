/** The audit log of instance administrators. */
import { hostname, userInfo } from 'node:os';
import { logger } from '../../logger.ts';
import { AdminAction } from '../../models/admin-action.ts';

const MAX_TARGET_CHARACTERS = 1000;

/** An action of an instance administrator. */
export interface AdminActionRecord {
  by: string;
  action: string;
  target?: string;
}

/** Stores and logs an action. Call this function before the action, so that a failed action is recorded, too. */
export const recordAdminAction = async ({ by, action, target }: AdminActionRecord): Promise<void> => {
  logger.info({ by, action, target }, 'action of an instance administrator');
  await AdminAction.create({ by, action, target: target?.slice(0, MAX_TARGET_CHARACTERS) });
};

/** Stores and logs an action started on the command line, with the names of the operating-system user and the host. */
export const recordCliAction = (action: string, target?: string): Promise<void> =>
  recordAdminAction({ by: `cli ${userInfo().username}@${hostname()}`, action, target });

/** Returns the latest actions, newest first. */
export const listAdminActions = (limit: number) => AdminAction.find().sort({ createdAt: -1 }).limit(limit).lean();
