/** List query → filter (contract b 5.2). Pure. */
import type { z } from 'zod';
import { conditionOf, type Filters } from '#shared/domain/conversations/segment-filter.ts';
import { LEAD } from '#shared/models/lead.ts';
import { wantedIn } from '#shared/search/words.ts';
import type { LeadsQuery } from './input.ts';

type Asked = z.output<typeof LeadsQuery>;

const present = { $exists: true };

const begins = (word: string) => ({ $regex: `^${word.replace(/[^\p{L}\p{N}_]/gu, '\\$&')}` });

/** Every word has to begin one of the name or the e-mail; nobody is found by none. */
const foundBy = (text: string): object => {
  const words = wantedIn(text);
  if (!words.length) return { _id: { $in: [] } };
  return { $and: words.map((word) => ({ $or: [{ fullname_words: begins(word) }, { email_words: begins(word) }] })) };
};

const askedOf = ({ email, with_email, with_fullname, tags }: Asked): object => {
  const asked = {
    email: email ?? (with_email === undefined ? undefined : present),
    fullname: with_fullname === undefined ? undefined : present,
    tags,
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
};

/** What a list asks for; what the query asks of a field stands in place of the segment's filters on it. */
export const leadsFilter = (id_project: string, query: Asked, segment?: Filters) => {
  const asked = askedOf(query);
  const parts = [
    ...(query.full_text ? [foundBy(query.full_text)] : []),
    ...(segment ? [conditionOf(segment, Object.keys(asked))] : []),
  ];
  return {
    id_project,
    status: query.status ?? LEAD.normal,
    ...asked,
    ...(parts.length && { $and: parts }),
  };
};
