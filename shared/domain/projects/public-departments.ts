/** Departments as anybody sees them without credentials: only what a visitor may see, and no more than an answer should hold. */
import type { z } from 'zod';
import { Department, PublicDepartmentView } from '../../models/department.ts';
import { readMany } from '../../read.ts';
import { fieldsOf } from '../../view.ts';

const MOST = 200;
const MOST_BYTES = 262_144;

const FIELDS = fieldsOf(PublicDepartmentView);

type Public = z.input<typeof PublicDepartmentView>;

/** The departments that fit into an answer to somebody without credentials, in their order. */
export const publicList = async (filter: { id_project: string }, sort: Record<string, 1 | -1>): Promise<Public[]> => {
  const found = await readMany(Department, filter, { fields: FIELDS, sort, limit: MOST });
  let bytes = 0;
  const fitting = found.filter((department) => {
    bytes += Buffer.byteLength(JSON.stringify(department));
    return bytes <= MOST_BYTES;
  });
  return fitting.map((department) => ({ ...department, id: department._id }));
};
