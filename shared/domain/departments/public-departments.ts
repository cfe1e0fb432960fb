/** Lists departments for callers without credentials: public fields only, in a reply of limited size. */
import type { z } from 'zod';
import { readMany } from '../../database/raw-read.ts';
import { Department, PublicDepartmentView } from '../../models/department.ts';
import { projectionOf } from '../../wire/view.ts';

const MAX_DEPARTMENTS = 200;
const MAX_REPLY_BYTES = 262_144;

const PUBLIC_FIELDS = projectionOf(PublicDepartmentView);

type PublicDepartment = z.input<typeof PublicDepartmentView>;

/** Returns the first departments in `sort` order, at most 200 and at most 256 KB of JSON. */
export const listPublicDepartments = async (
  filter: { id_project: string },
  sort: Record<string, 1 | -1>,
): Promise<PublicDepartment[]> => {
  const found = await readMany(Department, filter, { fields: PUBLIC_FIELDS, sort, limit: MAX_DEPARTMENTS });
  let bytes = 0;
  const fitting = found.filter((department) => {
    bytes += Buffer.byteLength(JSON.stringify(department));
    return bytes <= MAX_REPLY_BYTES;
  });
  return fitting.map((department) => ({ ...department, id: department._id }));
};
