/** Request bodies of the department endpoints, and their conversion to updates. */
import { z } from 'zod';
import { decimal, flag, oneOfNumbers } from '#shared/wire/coercion.ts';
import { compatibility } from '#shared/wire/compatibility.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject, Id } from '#shared/wire/view.ts';
import { acceptEmpty } from '../http/request/input.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const DepartmentName = z.string().trim().min(1).max(INPUT_LIMITS.name);
const DepartmentText = z.string().max(INPUT_LIMITS.conversationText).nullish();
const DepartmentTag = z.object({
  tag: DepartmentName,
  color: z.string().trim().max(INPUT_LIMITS.color).optional(),
  attributes: FreeObject.optional(),
});

/** Schema of an optional id of another record; an empty string removes the reference. */
const optionalReference = (description: string) =>
  acceptEmpty(
    z
      .union([Id, z.literal('', 'must be empty')])
      .nullish()
      .meta({ description }),
    '',
  );

const GroupShare = z
  .object({
    id_group: Id.optional(),
    group_id: Id.optional().meta({ description: 'Alias of `id_group`' }),
    percentage: decimal(0, 100).nullish().meta({ description: 'Percentage of the conversations that the group gets' }),
  })
  .refine(({ id_group, group_id }) => id_group ?? group_id, { path: ['id_group'], message: 'is required' });

/** Request body of a department update. */
export const DepartmentChange = z.object({
  name: DepartmentName.nullish(),
  description: DepartmentText,
  routing: acceptEmpty(z.enum(['assigned', 'pooled']).nullish(), null),
  status: oneOfNumbers([1, 0, -1])
    .nullish()
    .meta({ description: '0: hidden from visitors; -1: hidden from teammates as well' }),
  id_bot: optionalReference('Id of the bot that answers first'),
  bot_only: flag().nullish(),
  id_group: optionalReference('Id of the group that serves the department'),
  groups: z
    .array(GroupShare)
    .max(INPUT_LIMITS.departmentGroups)
    .nullish()
    .meta({ description: 'Groups that share the conversations of the department' }),
  online_msg: DepartmentText,
  offline_msg: DepartmentText,
  tags: z.array(DepartmentTag).max(INPUT_LIMITS.teammateTags).nullish(),
  attributes: FreeObject.nullish(),
});

/** Request body of a new department. */
export const NewDepartment = DepartmentChange.extend({
  name: DepartmentName,
  default: flag()
    .nullish()
    .meta({ description: '`true`: make it the default department; the current default department loses this role' }),
});

type DepartmentInput = z.output<typeof DepartmentChange>;

const toGroupShare = ({ id_group, group_id, percentage }: z.output<typeof GroupShare>) => ({
  id_group: (id_group ?? group_id) as string,
  ...(percentage == null ? {} : { percentage }),
});

const REFERENCE_FIELDS = ['id_bot', 'id_group', 'groups'] as const;

/** Returns the fields that have a value. Empty references to a bot or group and empty lists of groups are omitted. */
const presentSettings = <S extends DepartmentInput>({ groups, id_bot, id_group, ...rest }: S) => ({
  ...omitNullish(rest),
  ...(id_bot ? { id_bot } : {}),
  ...(id_group ? { id_group } : {}),
  ...(groups?.length ? { groups: groups.map(toGroupShare) } : {}),
});

/**
 * Returns the fields of a new department. The wire profile `deployed-clients` stores a `routing` of null, because
 * deployed clients rely on it (`docs/wire-profiles.md`).
 */
export const toNewDepartment = (body: z.output<typeof NewDepartment>) => ({
  ...presentSettings(body),
  name: body.name,
  ...(body.routing === null && compatibility.nullRoutingIsKept ? { routing: null } : {}),
});

/**
 * Converts the body of a PUT. References to a bot or groups that the body lacks are removed; other absent fields are
 * unchanged.
 */
export const toPutUpdate = (body: DepartmentInput) => {
  const set = presentSettings(body);
  return { set, drop: REFERENCE_FIELDS.filter((name) => !(name in set)) };
};

/** Converts the body of a PATCH. Absent fields are unchanged. An empty string or list removes the bot or groups. */
export const toPatchUpdate = (body: DepartmentInput) => {
  const set = presentSettings(body);
  return { set, drop: REFERENCE_FIELDS.filter((name) => body[name] != null && !(name in set)) };
};
