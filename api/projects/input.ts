/** Request bodies for project updates. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { EDITABLE_TEMPLATES } from '#shared/mail/default-templates.ts';
import { validateHours } from '#shared/domain/availability/operating-hours.ts';
import { invalidLimits } from '#shared/domain/quotas/plan.ts';
import { decimal, flag, integer } from '#shared/wire/coercion.ts';
import { FreeObject, Id } from '#shared/wire/view.ts';
import { acceptEmpty } from '../http/request/input.ts';
import { INPUT_LIMITS } from '../input-limits.ts';

const flagSetting = flag();
const countSetting = integer(-1);
const settingText = z.string().max(INPUT_LIMITS.settingText);
const settingTexts = z.array(settingText).max(INPUT_LIMITS.addresses);
const mailTemplate = z.union([z.string().max(INPUT_LIMITS.template), FreeObject]);

/** The settings `settings.email.templates.<key>Subject`: Handlebars templates for the subjects of emails. */
const subjectSettings = Object.fromEntries(
  EDITABLE_TEMPLATES.map((key) => [`settings.email.templates.${key}Subject`, settingText]),
);

/** Individual settings, in dot notation; omitted settings are unchanged. */
const SETTING_FIELDS = {
  'settings.email.autoSendTranscriptToRequester': flagSetting,
  'settings.email.notification.conversation.assigned': flagSetting,
  'settings.email.notification.conversation.pooled': flagSetting,
  'settings.email.templates.assignedRequest': mailTemplate,
  'settings.email.templates.assignedEmailMessage': mailTemplate,
  'settings.email.templates.pooledRequest': mailTemplate,
  'settings.email.templates.pooledEmailMessage': mailTemplate,
  'settings.email.templates.newMessage': mailTemplate,
  'settings.email.templates.newMessageFollower': mailTemplate,
  'settings.email.templates.ticket': mailTemplate,
  'settings.email.templates.sendTranscript': mailTemplate,
  'settings.email.templates.emailDirect': mailTemplate,
  ...subjectSettings,
  'settings.email.from': settingText,
  'settings.email.config.host': settingText,
  'settings.email.config.port': integer(1, 65_535),
  'settings.email.config.secure': flagSetting,
  'settings.email.config.user': settingText,
  'settings.email.config.pass': settingText.meta({
    description: 'Stored separately and never returned; deleted if the host or port changes without a new password',
  }),
  'settings.chat_limit_on': flagSetting,
  'settings.max_agent_assigned_chat': countSetting,
  'settings.reassignment_on': flagSetting,
  'settings.reassignment_delay': countSetting,
  'settings.automatic_unavailable_status_on': flagSetting,
  'settings.automatic_idle_chats': countSetting,
  'settings.current_agent_my_chats_only': flagSetting,
  'settings.chatbots_attributes_hidden': flagSetting,
  'settings.allow_send_emoji': flagSetting,
  'settings.allowed_urls': flagSetting,
  'settings.allowed_urls_list': settingTexts,
  'settings.allowed_upload_extentions': settingText,
} as const;

/** Operating hours as a JSON string; an empty string removes them. */
const HoursText = z
  .string()
  .max(INPUT_LIMITS.operatingHours)
  .superRefine((hours, context) => {
    for (const message of hours ? validateHours(hours) : []) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'JSON: time ranges by weekday (`0` is Sunday), `tzname`, and `exceptions` by date; on the date of an exception without `hours`, the project is closed',
    example: '{"5":[{"start":"22:00","end":"02:00"}],"exceptions":[{"date":"12-25"}],"tzname":"Europe/Rome"}',
  });

const TimeSlot = z.object({
  name: settingText.optional(),
  active: flagSetting.optional(),
  hours: HoursText.optional(),
});
const TimeSlotMap = z
  .record(z.string().regex(/^(?!__proto__$)[\w-]{1,200}$/, 'must have 1 to 200 letters, digits, _ or -'), TimeSlot)
  .refine(
    (slots) => Object.keys(slots).length <= INPUT_LIMITS.timeSlots,
    `must have at most ${INPUT_LIMITS.timeSlots} time slots`,
  );

const IpRange = settingText.refine(
  (address) => ipaddr.isValid(address) || ipaddr.isValidCIDR(address),
  'must be an IP address or a CIDR range',
);
const IpRanges = z.array(IpRange).max(INPUT_LIMITS.addresses);

/** A banned visitor. */
export const BannedVisitor = z.object({
  id: z.string().min(1).max(INPUT_LIMITS.visitorId),
  ip: settingText.optional(),
});

/** The widget settings, replaced as a whole. */
export const WidgetSettings = FreeObject.refine(
  ({ poweredBy = '' }) => typeof poweredBy === 'string' && poweredBy.length <= INPUT_LIMITS.template,
  { path: ['poweredBy'], message: `must be HTML of at most ${INPUT_LIMITS.template} characters` },
);

/** The plan of a project. */
const Profile = FreeObject.superRefine((profile, context) => {
  for (const type of invalidLimits(profile))
    context.addIssue({ code: 'custom', path: ['quotes', type], message: 'must be a number of at least 0' });
}).meta({
  description:
    'Plan of the project; only instance administrators can set it. `quotes` contains the quotas of the project',
  example: { name: 'Basic', type: 'payment', quotes: { requests: 800, email: 200, tokens: 2_000_000 } },
});

const PROJECT_FIELDS = {
  name: z.string().trim().min(1).max(INPUT_LIMITS.projectName),
  activeOperatingHours: flagSetting,
  operatingHours: HoursText,
  timeSlots: TimeSlotMap,
  settings: FreeObject.meta({ description: 'Replaces all settings' }),
  widget: WidgetSettings,
  versions: decimal(-Infinity, Infinity),
  channels: z.array(z.object({ name: settingText })).max(INPUT_LIMITS.channels),
  ipFilterEnabled: flagSetting,
  ipFilter: IpRanges,
  ipFilterDenyEnabled: flagSetting,
  ipFilterDeny: IpRanges,
  bannedUsers: z.array(BannedVisitor.extend({ _id: Id.optional() })).max(INPUT_LIMITS.addresses),
  profile: Profile,
};

/** Fields that an empty string clears. */
const CLEARABLE_FIELDS = new Set(['operatingHours']);

const optionalFields = <S extends Record<string, z.ZodType>>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      acceptEmpty(schema.nullish(), ...(CLEARABLE_FIELDS.has(name) ? ([''] as const) : [])),
    ]),
  ) as unknown as {
    [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>>;
  };

/** Request body for a project update; absent and null fields are unchanged. */
export const ProjectChanges = z
  .object({ ...optionalFields(PROJECT_FIELDS), ...optionalFields(SETTING_FIELDS) })
  .refine((changes) => !changes.settings || !Object.keys(SETTING_FIELDS).some((name) => name in changes), {
    path: ['settings'],
    message: 'cannot be combined with individual settings in dot notation',
  });
