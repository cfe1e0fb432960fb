/** The bytes that the files of a project or an account use, and their quotas. */
import type { ClientSession } from 'mongoose';
import { config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { FileUsage } from '../../models/file-usage.ts';
import { NO_PROJECT } from '../../models/stored-file.ts';
import { isDuplicateKey } from '../../database/unique-keys.ts';
import { charge, secondsToNextPeriod } from '../../budgets/budgets.ts';

const DAY_SECONDS = 86_400;
/** The quotas, in bytes, of an account and of all files that were uploaded without credentials. */
const ACCOUNT_BYTES = 100_000_000;
const PUBLIC_BYTES = 1_000_000_000;

interface CountedFile {
  id_project: string;
  kind: string;
  createdBy: string;
  size: number;
}

/** Returns the owner whose quota a file counts toward, and the quota in bytes. */
const quotaOf = ({ id_project, kind, createdBy }: CountedFile): { owner: string; quota: number } => {
  const isUnlimited = !config.PROJECT_FILE_BYTES;
  if (id_project !== NO_PROJECT)
    return { owner: id_project, quota: isUnlimited ? Number.MAX_SAFE_INTEGER : config.PROJECT_FILE_BYTES };
  return kind === 'public'
    ? { owner: 'public', quota: PUBLIC_BYTES }
    : { owner: `account ${createdBy}`, quota: ACCOUNT_BYTES };
};

const quotaExceeded = (quota: number) =>
  new AppError(
    403,
    'FILE_QUOTA_EXCEEDED',
    `The files would exceed the quota of ${quota} bytes; delete files that are not needed`,
  ).with({ body: { plan_limit: quota } });

/**
 * Adds the bytes of a file to those of its owner, in the caller's transaction. Throws 403 if the quota would be
 * exceeded.
 */
export const reserveBytes = async (file: CountedFile, session: ClientSession): Promise<void> => {
  const { owner: id_project, quota } = quotaOf(file);
  const { size } = file;
  if (size > quota) throw quotaExceeded(quota);
  try {
    const filter = { id_project, bytes: { $lte: quota - size } };
    await FileUsage.updateOne(filter, { $inc: { bytes: size } }, { session, upsert: true });
  } catch (error) {
    // If too few bytes are left, the owner's record does not match the filter. The upsert then tries to insert a second
    // record and fails.
    throw isDuplicateKey(error) ? quotaExceeded(quota) : error;
  }
};

/** Adds the bytes of an imported file, in the caller's transaction. Imported files may exceed the quota. */
export const addBytes = async (file: CountedFile, session: ClientSession): Promise<void> => {
  const { owner: id_project } = quotaOf(file);
  await FileUsage.updateOne({ id_project }, { $inc: { bytes: file.size } }, { session, upsert: true });
};

/** Subtracts the bytes of a deleted file, in the caller's transaction. */
export const releaseBytes = async (file: CountedFile, session: ClientSession): Promise<void> => {
  await FileUsage.updateOne({ id_project: quotaOf(file).owner }, { $inc: { bytes: -file.size } }, { session });
};

/**
 * Counts the bytes of a visitor's upload. Throws 429 if today's uploads by visitors of the project would
 * exceed VISITOR_FILE_BYTES_PER_DAY.
 */
export const countVisitorUpload = async (id_project: string, bytes: number): Promise<void> => {
  const limit = config.VISITOR_FILE_BYTES_PER_DAY;
  if (!limit) return;
  const budget = { id_project, name: 'visitor-files', seconds: DAY_SECONDS };
  if (await charge(budget, bytes, limit)) return;
  const text = `Visitors of this project may upload ${limit} bytes of files per day (UTC)`;
  throw new AppError(429, 'FILE_BUDGET_EXHAUSTED', text).retryAfter(secondsToNextPeriod(DAY_SECONDS));
};
