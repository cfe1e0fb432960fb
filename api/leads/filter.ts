/** List query → filter (contract b 5.2). Pure. */
import type { z } from 'zod';
import { conditionOf, type Filters } from '#shared/domain/conversations/segment-filter.ts';
import { LEAD } from '#shared/models/lead.ts';
import type { LeadsQuery } from './input.ts';

type Asked = z.output<typeof LeadsQuery>;

const present = { $exists: true };

/** Every word has to be there; as phrases, so that no sign in them means anything. */
const wordsOf = (text: string): string => (text.match(/[^\s"]+/g) ?? []).map((word) => `"${word}"`).join(' ');

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
  return {
    id_project,
    status: query.status ?? LEAD.normal,
    ...asked,
    ...(query.full_text ? { $text: { $search: wordsOf(query.full_text) } } : {}),
    ...(segment ? conditionOf(segment, Object.keys(asked)) : {}),
  };
};
