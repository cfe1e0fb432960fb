/** Imports departments. */
import { z } from 'zod';
import { Department } from '../../../models/department.ts';
import {
  authoredFields,
  flag,
  id,
  nonEmptyText,
  number,
  object,
  optional,
  tagFields,
  text,
  withDefault,
} from '../fields.ts';
import type { ImportedDocument, ImportTable } from '../import-table.ts';

const groupShare = z
  .object({ id_group: optional(id()), group_id: optional(id()), percentage: optional(number()) })
  .refine(({ id_group, group_id }) => id_group ?? group_id, 'must name a group')
  .transform(({ id_group, group_id, ...share }) => ({ id_group: id_group ?? group_id, ...share }));

const noEmptyText = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? undefined : value), optional(schema));

/** Leaves each project with only one default department: the existing one, or else the first one in the batch. */
const keepOneDefault = async (batch: ImportedDocument[]): Promise<void> => {
  const id_project = { $in: batch.map(({ record }) => record.id_project as string) };
  const stored = await Department.find({ id_project, default: true }, { id_project: 1 }).lean();
  const projects = new Set<unknown>(stored.map((department) => department.id_project));
  for (const { record, adjustments } of batch.filter((document) => document.record.default)) {
    if (projects.has(record.id_project)) {
      record.default = false;
      adjustments.push('default: a project has only one default department');
    }
    projects.add(record.id_project);
  }
};

export const departments: ImportTable = {
  model: Department,
  sources: ['departments'],
  fields: z.object({
    ...authoredFields,
    name: nonEmptyText(),
    description: optional(text()),
    routing: z.enum(['assigned', 'pooled']).nullish().default('pooled'),
    default: withDefault(flag(), false),
    status: withDefault(number(), 1),
    id_bot: noEmptyText(id()),
    bot_only: optional(flag()),
    id_group: noEmptyText(id()),
    groups: optional(z.array(groupShare)),
    online_msg: optional(text()),
    offline_msg: optional(text()),
    tags: optional(z.array(z.object(tagFields))),
    attributes: optional(object()),
  }),
  replaced: { hasBot: 'computed' },
  complete: async (batch) => {
    for (const { record } of batch) if (!(record.groups as unknown[] | undefined)?.length) delete record.groups;
    await keepOneDefault(batch);
  },
};
