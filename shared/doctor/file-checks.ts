/** Checks of stored files and disk space. */
import { mkdir, statfs } from 'node:fs/promises';
import { config } from '../config.ts';
import { findMissing, findOrphans } from '../domain/files/orphans.ts';
import { formatCount } from '../format-count.ts';
import { type Check, error, type Finding, warning } from './check.ts';

const GIB = 2 ** 30;
const MIN_FREE_BYTES = 2 * GIB;
const MIN_FREE_PART = 0.1;

/** Returns a finding if a disk has little free space. */
export const judgeDisk = (folder: string, { free, total }: { free: number; total: number }): Finding[] => {
  const text = `${(free / GIB).toFixed(1)} of ${(total / GIB).toFixed(1)} GiB are free in ${folder}`;
  const advice = 'Free up or add disk space: uploads, the index, and databases on this disk fail when it is full.';
  if (free < MIN_FREE_BYTES / 4) return [error(text, advice)];
  return free < Math.min(MIN_FREE_BYTES, total * MIN_FREE_PART) ? [warning(text, advice)] : [];
};

const checkDisk = async (): Promise<Finding[]> => {
  const storage = config.FILE_STORAGE?.includes('://') ? [] : [config.FILE_STORAGE ?? []].flat();
  const folders = [config.DATA_DIR, ...storage];
  const findings = folders.map(async (folder) => {
    await mkdir(folder, { recursive: true });
    const { bsize, bavail, blocks } = await statfs(folder);
    return judgeDisk(folder, { free: bsize * bavail, total: bsize * blocks });
  });
  return (await Promise.all(findings)).flat();
};

const checkFiles = async (): Promise<Finding[]> => {
  const orphans = (await Array.fromAsync(findOrphans())).length;
  const missing = (await Array.fromAsync(findMissing())).length;
  return [
    ...(orphans
      ? [
          warning(
            `The storages contain ${formatCount(orphans, 'file')} without a record`,
            'npm run cli -- files orphans --delete',
          ),
        ]
      : []),
    ...(missing
      ? [
          error(
            `The storages lack the bytes of ${formatCount(missing, 'file')}`,
            'npm run cli -- files orphans lists them; restore their bytes from a backup.',
          ),
        ]
      : []),
  ];
};

export const fileChecks: Check[] = [
  { name: 'disk', needs: [], run: checkDisk },
  { name: 'files', needs: ['mongodb'], isSlow: true, run: checkFiles },
];
