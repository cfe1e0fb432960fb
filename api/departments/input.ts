/** What callers send about departments (contract b 6.2). */
import { z } from 'zod';
import { decimal, flag, oneOfNumbers } from '#shared/lenient.ts';
import { FreeObject, Id } from '#shared/view.ts';
import { wire } from '#shared/wire-profile.ts';
import { means } from '../http/absent.ts';
import { given } from '../http/given.ts';
import { LIMITS } from '../limits.ts';

const Name = z.string().trim().min(1).max(LIMITS.name);
const Text = z.string().max(LIMITS.conversationText).nullish();
const Tag = z.object({
  tag: Name,
  color: z.string().trim().max(LIMITS.color).optional(),
  attributes: FreeObject.optional(),
});

/** A record that is named by its id, or by an empty text none. */
const reference = (description: string) =>
  means(
    z
      .union([Id, z.literal('', 'must be empty')])
      .nullish()
      .meta({ description }),
    '',
  );

const Share = z
  .object({
    id_group: Id.optional(),
    group_id: Id.optional().meta({ description: 'Other name of `id_group`' }),
    percentage: decimal(0, 100).nullish().meta({ description: 'Share of the conversations' }),
  })
  .refine(({ id_group, group_id }) => id_group ?? group_id, { path: ['id_group'], message: 'is required' });

/** What may be changed of a department. */
export const DepartmentChange = z.object({
  name: Name.nullish(),
  description: Text,
  routing: means(z.enum(['assigned', 'pooled']).nullish(), null),
  status: oneOfNumbers([1, 0, -1]).nullish().meta({ description: '0 hides it from visitors, -1 from teammates too' }),
  id_bot: reference('The bot that answers first'),
  bot_only: flag().nullish(),
  id_group: reference('The group that serves it'),
  groups: z.array(Share).max(LIMITS.departmentGroups).nullish().meta({ description: 'Several groups that serve it' }),
  online_msg: Text,
  offline_msg: Text,
  tags: z.array(Tag).max(LIMITS.teammateTags).nullish(),
  attributes: FreeObject.nullish(),
});

/** What a department is made of. */
export const NewDepartment = DepartmentChange.extend({
  name: Name,
  default: flag().nullish().meta({ description: '`true`: instead of the one that is the default now' }),
});

type Sent = z.output<typeof DepartmentChange>;

const shareOf = ({ id_group, group_id, percentage }: z.output<typeof Share>) => ({
  id_group: (id_group ?? group_id) as string,
  ...(percentage == null ? {} : { percentage }),
});

const REFERENCES = ['id_bot', 'id_group', 'groups'] as const;

/** The fields that have a value; a reference that is empty has none. */
const settingsOf = <S extends Sent>({ groups, id_bot, id_group, ...rest }: S) => ({
  ...given(rest),
  ...(id_bot ? { id_bot } : {}),
  ...(id_group ? { id_group } : {}),
  ...(groups?.length ? { groups: groups.map(shareOf) } : {}),
});

/** What a new department is made of. A routing of null is kept for clients that read it back (decision 4). */
export const asNew = (body: z.output<typeof NewDepartment>) => ({
  ...settingsOf(body),
  name: body.name,
  ...(body.routing === null && wire.nullRoutingIsKept ? { routing: null } : {}),
});

/** PUT: a bot or group that is not named is taken away; whatever else is absent stays. */
export const asPut = (body: Sent) => {
  const set = settingsOf(body);
  return { set, drop: REFERENCES.filter((name) => !(name in set)) };
};

/** PATCH: what is absent stays; an empty text or list takes a bot or groups away. */
export const asPatch = (body: Sent) => {
  const set = settingsOf(body);
  return { set, drop: REFERENCES.filter((name) => body[name] != null && !(name in set)) };
};
