/** What may be changed of a membership, and by which names (contract a 6.3). */
import { z } from 'zod';
import { flag, integer } from '#shared/lenient.ts';
import { FreeObject } from '#shared/view.ts';
import { LIMITS } from '../limits.ts';
import { means } from '../http/absent.ts';
import { given } from '../http/given.ts';
import { paged } from '../http/paging.ts';

const MOST = 1000;

const Email = z.email().max(LIMITS.email).toLowerCase();
const Name = z.string().trim().max(LIMITS.personName).optional();
const Capacity = integer(-1, LIMITS.openConversations).nullish();

/** Tags of a teammate. */
export const Tags = z
  .array(
    z.object({
      tag: z.string().min(1).max(LIMITS.name),
      color: z.string().max(LIMITS.color).optional(),
      attributes: FreeObject.optional(),
    }),
  )
  .max(LIMITS.teammateTags);

/** Dotted names, each of one setting: the others stay as they are. */
const SETTINGS = {
  'settings.email.notification.conversation.assigned.toyou': flag().nullish(),
  'settings.email.notification.conversation.pooled': flag().nullish(),
};

const FIELDS = z.object({
  role: z.enum(['agent', 'admin', 'owner']).nullish().meta({ description: 'At most that of the caller' }),
  user_available: flag().nullish(),
  profileStatus: means(
    z.string().max(LIMITS.name).nullish().meta({ description: "A word of one's own on the availability; empty: none" }),
    '',
  ),
  max_assigned_chat: Capacity.meta({ description: 'Open conversations at a time; -1: no limit of its own' }),
  max_served_chat: Capacity.meta({ description: 'Older name of max_assigned_chat' }),
  attributes: FreeObject.nullish().meta({ description: 'Replaces them' }),
  settings: FreeObject.nullish().meta({ description: 'Replaces them' }),
  tags: Tags.nullish().meta({ description: 'Replaces them' }),
  availabilityInitiator: z
    .string()
    .max(LIMITS.name)
    .nullish()
    .meta({ description: '`system`: the change of availability is noted as automatic; not stored' }),
  ...SETTINGS,
});

interface Given {
  settings?: object | null;
  max_served_chat?: number | null;
}

const oneWay = ({ settings, ...given }: Given): boolean =>
  !settings || Object.keys(SETTINGS).every((name) => (given as Record<string, unknown>)[name] == null);

const TWO_WAYS = { path: ['settings'], message: 'must not be given with single settings by their dotted names' };

/** By their new names what is there: the rest stays. */
const present = <G extends Given>({ max_served_chat, ...more }: G) =>
  given({ ...(max_served_chat == null ? {} : { max_assigned_chat: max_served_chat }), ...more });

/** Changes of one's own membership. */
export const OwnChanges = FIELDS.refine(oneWay, TWO_WAYS).transform(present);

/** Changes of somebody's membership by an admin. */
export const Changes = FIELDS.extend({ status: z.enum(['active', 'disabled']).nullish() })
  .refine(oneWay, TWO_WAYS)
  .transform(present);

/** Whom to invite. */
export const Invitation = z.object({
  email: Email,
  role: z.enum(['agent', 'admin']),
  user_available: flag().default(true),
  firstname: Name,
  lastname: Name,
});

/** Changes of an invitation; its e-mail and role are always named. */
export const InvitationChanges = Invitation.extend({ user_available: flag().optional() }).transform(
  ({ email, role, ...more }) => ({ email, role, ...given(more) }),
);

const Role = z.enum(['guest', 'user', 'agent', 'admin', 'owner']);

/** Which memberships are listed. */
export const Listed = paged(['createdAt', 'updatedAt'], MOST, {
  trashed: z.string().optional().meta({ description: 'Other than empty or `false`: trashed ones too' }),
  role: z
    .union([Role, z.array(Role)])
    .optional()
    .meta({ description: 'Several too; visitors are `guest` and `user`' }),
  status: z.enum(['active', 'disabled']).optional(),
  presencestatus: z.enum(['online', 'offline']).optional(),
});

/** Memberships of a page, unless it says. */
export const PAGE = { sortField: 'createdAt', limit: MOST };

/** Whom to look for. */
export const Sought = z.object({ email: Email });
