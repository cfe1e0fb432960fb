/** File systems of a few megabytes that exist for one process, and only while it runs. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';

/** Folders and the sizes of their file systems, in bytes. */
type SmallDisks = Record<string, number>;

const UNSHARE = 'unshare';
/** A user namespace, so that mounting needs no privileges, and a mount namespace. */
const NAMESPACES = ['--user', '--map-root-user', '--mount'];

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const commandWith = (disks: SmallDisks): string[] => {
  const mounts = Object.entries(disks).map(
    ([folder, bytes]) => `mount -t tmpfs -o size=${bytes} none ${quoted(folder)} && `,
  );
  return [...NAMESPACES, 'sh', '-c', `${mounts.join('')}exec "$@"`, 'sh'];
};

/** Throws if this machine cannot give a process small disks: it does not run Linux, or forbids user namespaces. */
export const assertSmallDisks = async (): Promise<void> => {
  await promisify(execFile)(UNSHARE, [...commandWith({ [tmpdir()]: 1_000_000 }), 'true']);
};

/** Options of `fork` for a process with a small disk in each of the folders, which must exist. */
export const withSmallDisks = (disks: SmallDisks) => ({
  execPath: UNSHARE,
  execArgv: [...commandWith(disks), process.execPath],
});

/** The path at which other processes find a file of a process with small disks. */
export const pathOnSmallDisk = (pid: number, path: string): string => `/proc/${pid}/root${path}`;
