/** Converts the query of a lead list to a MongoDB filter. */
import type { z } from 'zod';
import { type LeadFilters, toCondition } from '#shared/domain/leads/segment-filter.ts';
import { LEAD_STATUS } from '#shared/models/lead.ts';
import { queryTerms } from '#shared/search/words.ts';
import { omitUndefined } from '#shared/wire/omit-fields.ts';
import type { LeadsQuery } from './input.ts';

type ParsedLeadsQuery = z.output<typeof LeadsQuery>;

const anyValue = { $exists: true };

const beginsWith = (word: string) => ({ $regex: `^${word.replace(/[^\p{L}\p{N}_]/gu, '\\$&')}` });

/**
 * Matches a lead if each word of the text is the beginning of a word in the lead's name or email address. A text
 * without words matches no lead.
 */
const textCondition = (text: string): object => {
  const words = queryTerms(text);
  if (!words.length) return { _id: { $in: [] } };
  return {
    $and: words.map((word) => ({
      $or: [{ fullname_keywords: beginsWith(word) }, { email_keywords: beginsWith(word) }],
    })),
  };
};

const fieldConditions = ({ email, with_email, with_fullname, tags }: ParsedLeadsQuery): object =>
  omitUndefined({
    email: email ?? (with_email === undefined ? undefined : anyValue),
    fullname: with_fullname === undefined ? undefined : anyValue,
    tags,
  });

/** Returns the filter of a list. A query parameter for a field overrides the segment's filters on that field. */
export const leadsFilter = (id_project: string, query: ParsedLeadsQuery, segment?: LeadFilters) => {
  const conditions = fieldConditions(query);
  const parts = [
    ...(query.full_text ? [textCondition(query.full_text)] : []),
    ...(segment ? [toCondition(segment, Object.keys(conditions))] : []),
  ];
  return {
    id_project,
    status: query.status ?? LEAD_STATUS.normal,
    ...conditions,
    ...(parts.length && { $and: parts }),
  };
};
