/** What may be changed of a project, and by which names (contract a 8.3). */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { decimal, flag, integer } from '#shared/lenient.ts';
import { faultsOf } from '#shared/domain/projects/hours.ts';
import { FreeObject, Id } from '#shared/view.ts';
import { means } from '../http/absent.ts';
import { LIMITS } from '../limits.ts';

const onOff = flag();
const count = integer(-1);
const text = z.string().max(LIMITS.settingText);
const texts = z.array(text).max(LIMITS.addresses);
const template = z.union([z.string().max(LIMITS.template), FreeObject]);

/** Dotted names, each of one setting: the others stay as they are. */
const SETTINGS = {
  'settings.email.autoSendTranscriptToRequester': onOff,
  'settings.email.notification.conversation.assigned': onOff,
  'settings.email.notification.conversation.pooled': onOff,
  'settings.email.templates.assignedRequest': template,
  'settings.email.templates.assignedEmailMessage': template,
  'settings.email.templates.pooledRequest': template,
  'settings.email.templates.pooledEmailMessage': template,
  'settings.email.templates.newMessage': template,
  'settings.email.templates.newMessageFollower': template,
  'settings.email.templates.ticket': template,
  'settings.email.templates.sendTranscript': template,
  'settings.email.templates.emailDirect': template,
  'settings.email.from': text,
  'settings.email.config.host': text,
  'settings.email.config.port': integer(1, 65_535),
  'settings.email.config.secure': onOff,
  'settings.email.config.user': text,
  'settings.email.config.pass': text.meta({ description: 'Kept apart and never shown again' }),
  'settings.chat_limit_on': onOff,
  'settings.max_agent_assigned_chat': count,
  'settings.reassignment_on': onOff,
  'settings.reassignment_delay': count,
  'settings.automatic_unavailable_status_on': onOff,
  'settings.automatic_idle_chats': count,
  'settings.current_agent_my_chats_only': onOff,
  'settings.chatbots_attributes_hidden': onOff,
  'settings.allow_send_emoji': onOff,
  'settings.allowed_urls': onOff,
  'settings.allowed_urls_list': texts,
  'settings.allowed_upload_extentions': text,
} as const;

/** The text of operating hours, empty for none. */
const HoursText = z
  .string()
  .max(LIMITS.operatingHours)
  .superRefine((hours, context) => {
    for (const message of hours ? faultsOf(hours) : []) context.addIssue({ code: 'custom', message });
  })
  .meta({
    description:
      'JSON text: weekdays from `0`, Sunday, with ranges; `tzname`; `exceptions` by date, closed without `hours`',
    example: '{"5":[{"start":"22:00","end":"02:00"}],"exceptions":[{"date":"12-25"}],"tzname":"Europe/Rome"}',
  });

const TimeSlot = z.object({ name: text.optional(), active: onOff.optional(), hours: HoursText.optional() });
const TimeSlots = z
  .record(z.string().regex(/^(?!__proto__$)[\w-]{1,200}$/, 'must have 1 to 200 letters, digits, _ or -'), TimeSlot)
  .refine((slots) => Object.keys(slots).length <= LIMITS.timeSlots, `must have at most ${LIMITS.timeSlots} time slots`);

const Address = text.refine(
  (address) => ipaddr.isValid(address) || ipaddr.isValidCIDR(address),
  'must be an IP address or a CIDR range',
);
const Addresses = z.array(Address).max(LIMITS.addresses);

/** A visitor who is kept out. */
export const Banned = z.object({ id: z.string().min(1).max(LIMITS.visitorId), ip: text.optional() });

/** The widget's settings, replaced as a whole (contract a 9.2). */
export const Widget = FreeObject.refine(
  ({ poweredBy = '' }) => typeof poweredBy === 'string' && poweredBy.length <= LIMITS.template,
  { path: ['poweredBy'], message: `must be HTML of at most ${LIMITS.template} characters` },
);

const FIELDS = {
  name: z.string().trim().min(1).max(LIMITS.projectName),
  activeOperatingHours: onOff,
  operatingHours: HoursText,
  timeSlots: TimeSlots,
  settings: FreeObject.meta({ description: 'All settings: replaces them' }),
  widget: Widget,
  versions: decimal(-Infinity, Infinity),
  channels: z.array(z.object({ name: text })).max(LIMITS.channels),
  ipFilterEnabled: onOff,
  ipFilter: Addresses,
  ipFilterDenyEnabled: onOff,
  ipFilterDeny: Addresses,
  bannedUsers: z.array(Banned.extend({ _id: Id.optional() })).max(LIMITS.addresses),
  profile: FreeObject.meta({ description: 'Of the plan; set by operators of the instance only' }),
};

/** Texts that are cleared by an empty one. */
const CLEARED = new Set(['operatingHours']);

const optional = <S extends Record<string, z.ZodType>>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      means(schema.nullish(), ...(CLEARED.has(name) ? ([''] as const) : [])),
    ]),
  ) as unknown as {
    [K in keyof S]: z.ZodOptional<z.ZodNullable<S[K]>>;
  };

/** Changes of a project: what is absent or null stays. */
export const ProjectChanges = z
  .object({ ...optional(FIELDS), ...optional(SETTINGS) })
  .refine((changes) => !changes.settings || !Object.keys(SETTINGS).some((name) => name in changes), {
    path: ['settings'],
    message: 'must not be given with single settings by their dotted names',
  });
