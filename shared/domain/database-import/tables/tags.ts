/** Imports the tag catalogues. */
import { z } from 'zod';
import { Tag } from '../../../models/tag.ts';
import { authoredFields, tagFields } from '../fields.ts';
import type { ImportTable } from '../import-table.ts';

export const tags: ImportTable = {
  model: Tag,
  sources: ['tags', 'taglibraries', 'tag_libraries'],
  fields: z.object({ ...authoredFields, ...tagFields }),
};
