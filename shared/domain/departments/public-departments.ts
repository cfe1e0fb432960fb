/** Lists departments for callers without credentials: public fields only, in a reply of limited size. */
import type { z } from 'zod';
import { readEach } from '../../database/raw-read.ts';
import { Department, PublicDepartmentView } from '../../models/department.ts';
import { projectionOf } from '../../wire/view.ts';

const MAX_DEPARTMENTS = 200;
const MAX_REPLY_BYTES = 262_144;
/**
 * Most projects have fewer departments than this, so one batch is enough. If large departments fill the reply early,
 * the remaining batches are not read.
 */
const DEPARTMENTS_PER_BATCH = 20;

const PUBLIC_FIELDS = projectionOf(PublicDepartmentView);

type PublicDepartment = z.input<typeof PublicDepartmentView>;

/** Returns the first departments in `sort` order: at most 200, and at most 256 KB of JSON. */
export const listPublicDepartments = async (
  filter: { id_project: string },
  sort: Record<string, 1 | -1>,
): Promise<PublicDepartment[]> => {
  const page = { fields: PUBLIC_FIELDS, sort, limit: MAX_DEPARTMENTS, batchSize: DEPARTMENTS_PER_BATCH };
  const departments: PublicDepartment[] = [];
  let bytes = 0;
  for await (const department of readEach(Department, filter, page)) {
    bytes += Buffer.byteLength(JSON.stringify(department));
    if (bytes > MAX_REPLY_BYTES) break;
    departments.push({ ...department, id: department._id });
  }
  return departments;
};
