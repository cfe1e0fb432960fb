/** Records that are deleted some time after they have been trashed. */
import { BOT_TRASH_SECONDS } from '../../../models/bot.ts';
import { type Fields, flag, optional, time, withDefault } from '../fields.ts';

/** Returns the time at which a trashed record will be deleted. */
export const trashExpiry = ({ trashedAt }: Fields): Date | undefined =>
  trashedAt instanceof Date ? new Date(trashedAt.getTime() + BOT_TRASH_SECONDS * 1000) : undefined;

/** The fields of records that can be trashed. */
export const trashFields = { trashed: withDefault(flag(), false), trashedAt: optional(time()) };
