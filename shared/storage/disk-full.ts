/** Recognizes the errors of a disk without free space, and builds the error for callers. */
import { AppError } from '../errors.ts';

const CODES = ['ENOSPC', 'EDQUOT'];

/** Whether a file could not be written because its disk, or the quota of the process's user, is full. */
export const isDiskFull = (error: unknown): boolean => CODES.includes((error as { code?: string } | null)?.code ?? '');

/** Returns a 507 for a file for which no space is left. */
export const diskFull = (): AppError =>
  new AppError(507, 'DISK_FULL', 'The server has no space left for files; try again later');
