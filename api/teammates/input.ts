/** Request bodies and queries for memberships and invitations. */
import { z } from 'zod';
import { flag, integer } from '#shared/wire/coercion.ts';
import { AGENT_ROLES, ROLES } from '#shared/wire/roles.ts';
import { omitNullish } from '#shared/wire/omit-fields.ts';
import { FreeObject } from '#shared/wire/view.ts';
import { acceptEmpty } from '../http/request/input.ts';
import { pagingQuery } from '../http/request/paging.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const TEAMMATES_PER_PAGE = 1000;

const Email = z.email().max(INPUT_LIMITS.email).toLowerCase();
const PersonName = z.string().trim().max(INPUT_LIMITS.personName).optional();
const TeammateRole = z.enum(AGENT_ROLES);
const Capacity = integer(-1, INPUT_LIMITS.openConversations).nullish();

/** The tags of a teammate. */
export const TeammateTags = z
  .array(
    z.object({
      tag: z.string().min(1).max(INPUT_LIMITS.name),
      color: z.string().max(INPUT_LIMITS.color).optional(),
      attributes: FreeObject.optional(),
    }),
  )
  .max(INPUT_LIMITS.teammateTags);

/** Individual settings, in dot notation; omitted settings are unchanged. */
const SETTING_FIELDS = {
  'settings.email.notification.conversation.assigned.toyou': flag().nullish(),
  'settings.email.notification.conversation.pooled': flag().nullish(),
};

const membershipFields = z.object({
  role: TeammateRole.nullish().meta({ description: "At most the caller's own role" }),
  user_available: flag().nullish(),
  profileStatus: acceptEmpty(
    z
      .string()
      .max(INPUT_LIMITS.name)
      .nullish()
      .meta({ description: 'Free text about the availability; an empty string clears it' }),
    '',
  ),
  max_assigned_chat: Capacity.meta({
    description: 'Maximum number of open conversations; -1: the limit of the project',
  }),
  max_served_chat: Capacity.meta({ description: 'Former name of `max_assigned_chat`' }),
  attributes: FreeObject.nullish().meta({ description: 'Replaces all attributes' }),
  settings: FreeObject.nullish().meta({ description: 'Replaces all settings' }),
  tags: TeammateTags.nullish().meta({ description: 'Replaces all tags' }),
  availabilityInitiator: z.string().max(INPUT_LIMITS.name).nullish().meta({
    description:
      '`system`: the event `project_user.updated` reports the change of availability as automatic. This field is not stored',
  }),
  ...SETTING_FIELDS,
});

interface MembershipInput {
  settings?: object | null;
  max_assigned_chat?: number | null;
  max_served_chat?: number | null;
}

const hasOneSettingsForm = ({ settings, ...fields }: MembershipInput): boolean =>
  !settings || Object.keys(SETTING_FIELDS).every((name) => (fields as Record<string, unknown>)[name] == null);

const TWO_SETTINGS_FORMS = {
  path: ['settings'],
  message: 'cannot be combined with individual settings in dot notation',
};

/** Omits absent and null fields. Renames `max_served_chat` to `max_assigned_chat`, which takes precedence. */
const toChanges = <Fields extends MembershipInput>({ max_served_chat, ...rest }: Fields) =>
  omitNullish({ ...rest, max_assigned_chat: rest.max_assigned_chat ?? max_served_chat });

/** Request body for an update of the caller's own membership. */
export const OwnMembershipChanges = membershipFields
  .refine(hasOneSettingsForm, TWO_SETTINGS_FORMS)
  .transform(toChanges);

/** Request body for an update of any membership by an admin. */
export const MembershipChanges = membershipFields
  .extend({ status: z.enum(['active', 'disabled']).nullish() })
  .refine(hasOneSettingsForm, TWO_SETTINGS_FORMS)
  .transform(toChanges);

/** Request body for an invitation. */
export const Invitation = z.object({
  email: Email,
  role: TeammateRole.exclude(['owner']),
  user_available: flag().default(true),
  firstname: PersonName,
  lastname: PersonName,
});

/** Request body for an invitation update; the email address and role are required. */
export const InvitationChanges = Invitation.extend({ user_available: flag().optional() }).transform(
  ({ email, role, ...rest }) => ({ email, role, ...omitNullish(rest) }),
);

const MembershipRole = z.enum(ROLES);

/** Query parameters for the list of memberships. */
export const TeammatesQuery = pagingQuery(['createdAt', 'updatedAt'], TEAMMATES_PER_PAGE, {
  trashed: z
    .string()
    .optional()
    .meta({ description: 'Any value except `false` and the empty string: include trashed memberships' }),
  role: z
    .union([MembershipRole, z.array(MembershipRole)])
    .optional()
    .meta({ description: 'One or several roles; visitors have the role `guest` or `user`' }),
  status: z.enum(['active', 'disabled']).optional(),
  presencestatus: z.enum(['online', 'offline']).optional(),
});

/** Default sort field and page size of the list of memberships. */
export const TEAMMATES_PAGE = { sortField: 'createdAt', limit: TEAMMATES_PER_PAGE };

/** Query parameters for the search for a member. */
export const TeammateSearchQuery = z.object({ email: Email });
