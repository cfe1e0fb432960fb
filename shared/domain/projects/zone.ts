import { Project } from '../../models/project.ts';
import { isZone } from '../../wall-clock.ts';

const WRITTEN = /"tzname"\s*:\s*"([^"]+)"/;

/** The time zone in which a project's hours are written, whether they are kept or not; UTC where none is. */
export const zoneOf = async (id: string): Promise<string> => {
  const found = await Project.findOne({ _id: id }, { operatingHours: 1 }).lean();
  const [, zone = 'UTC'] = WRITTEN.exec(found?.operatingHours ?? '') ?? [];
  return isZone(zone) ? zone : 'UTC';
};
