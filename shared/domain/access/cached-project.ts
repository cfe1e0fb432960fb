/** The fields of projects that every message needs, cached in each process. */
import { writesTo } from '../../database/plugins/write-counts.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { isId } from '../../wire/view.ts';
import { AccessCache, accessKey } from './access-changes.ts';

const CACHED_FIELDS = {
  ...{ name: 1, status: 1, settings: 1, profile: 1, createdAt: 1 },
  ...{ activeOperatingHours: 1, operatingHours: 1, timeSlots: 1 },
} as const;

const readProject = (id: string) => Project.findOne({ _id: id, status: PROJECT_ACTIVE }, CACHED_FIELDS).lean();

/** The cached fields of an active project. */
export type CachedProject = NonNullable<Awaited<ReturnType<typeof readProject>>>;

const cache = new AccessCache<CachedProject>(5000);

/**
 * Returns an active project; null if it is unknown or disabled. A change of the project is visible at once in the
 * process that makes it, and within a second in all others.
 */
export const findCachedProject = async (id: string): Promise<CachedProject | null> => {
  if (!isId(id)) return null;
  return cache.getOrLoad(`${writesTo('projects')} ${id}`, async () => {
    const value = await readProject(id);
    return value && { value, accessKeys: [accessKey({ project: id })] };
  });
};
