/**
 * The built-in triggers: those that every project starts with, and those that an admin can add. Most of their texts are
 * labels (names of translated texts), so that visitors read them in the language of the conversation.
 */
import type { ActionKey, ConditionOperator, TriggerKey } from './definitions.ts';
import { HIDDEN_SUFFIX } from './definitions.ts';

type Value = string | number | boolean;

interface Condition {
  key: string;
  fact: 'json';
  path: string;
  operator: ConditionOperator;
  value: Value;
}

interface BuiltInTrigger {
  code: string;
  name: string;
  description: string;
  trigger: { key: TriggerKey; name: string; description: string };
  conditions: { all: Condition[]; any: Condition[] };
  actions: { key: ActionKey; parameters: Record<string, unknown> }[];
  enabled: boolean;
}

const TRIGGER_NAMES: Record<TriggerKey, { name: string; description: string }> = {
  'request.create': { name: 'New conversation', description: 'A conversation is opened' },
  'request.participants.join': { name: 'New participant', description: 'A participant is added to a conversation' },
  'message.create.from.requester': { name: 'Message from the visitor', description: 'The visitor sends a message' },
  'message.received': { name: 'Message received', description: 'A message reaches its recipient' },
  'event.emit': { name: 'Custom event', description: 'A client emits a custom event' },
};

const eventOf = (key: TriggerKey) => ({ key, ...TRIGGER_NAMES[key] });

const condition =
  (trigger: TriggerKey) =>
  (path: string, operator: ConditionOperator, value: Value): Condition => ({
    key: `${trigger}.${path}`,
    fact: 'json',
    path,
    operator,
    value,
  });

const ofRequest = condition('request.create');
const ofEvent = condition('event.emit');

/** Conditions, either of which matches a custom event: its full name, or the bare name that deployed clients send. */
const isNamed = (name: string) => [ofEvent('name', 'equal', `event.emit.${name}`), ofEvent('name', 'equal', name)];

/** Conditions that match a chat that the visitor has opened but not yet written in. */
const IS_NEW_CHAT = [ofRequest('preflight', 'equal', true), ofRequest('channel.name', 'equal', 'chat21')];
const HAS_NO_BOT = ofRequest('department.hasBot', 'notEqual', true);

const sendMessage = (label: string) => ({
  key: 'message.send' as const,
  parameters: { text: `\${${label}}`, sender: 'system' },
});

/** A greeting to a visitor who has opened a chat in a department without a bot. */
const greeting = (code: string, label: string, details: { name: string; description: string; all: Condition[] }) => ({
  code,
  name: details.name,
  description: details.description,
  trigger: eventOf('request.create'),
  conditions: { all: [...IS_NEW_CHAT, ...details.all], any: [] },
  actions: [sendMessage(label)],
});

const onEvent = (code: string, event: string, details: Pick<BuiltInTrigger, 'name' | 'description' | 'actions'>) => ({
  code,
  ...details,
  trigger: eventOf('event.emit'),
  conditions: { all: [], any: isNamed(event) },
});

const openHidden = { key: 'request.create' as const, parameters: { text: `welcome${HIDDEN_SUFFIX}` } };
const launchBot = { key: 'request.department.bot.launch' as const, parameters: { text: '/start' } };

const DEFAULT_TRIGGERS = [
  onEvent('s_new_conversation_01', 'new_conversation', {
    name: 'Open a chat',
    description: 'Opens a temporary conversation when a visitor opens a chat. Agents see it when the visitor writes',
    actions: [openHidden],
  }),
  greeting('s_online_welcome_01', 'LABEL_FIRST_MSG', {
    name: 'Greeting, agents available',
    description: 'Greets the visitor during operating hours while an agent is available',
    all: [ofRequest('isOpen', 'equal', true), ofRequest('availableAgentsCount', 'greaterThan', 0), HAS_NO_BOT],
  }),
  greeting('s_offline_welcome_01', 'LABEL_FIRST_MSG_NO_AGENTS', {
    name: 'Greeting, no agent available',
    description: 'Greets the visitor during operating hours while no agent is available',
    all: [ofRequest('isOpen', 'equal', true), ofRequest('availableAgentsCount', 'equal', 0), HAS_NO_BOT],
  }),
  greeting('s_closed_operating_hours_01', 'LABEL_FIRST_MSG_OPERATING_HOURS_CLOSED', {
    name: 'Greeting, closed',
    description: 'Greets the visitor outside the operating hours',
    all: [ofRequest('isOpen', 'equal', false), HAS_NO_BOT],
  }),
  {
    code: 's_invite_bot_01',
    name: 'Start the bot of the department',
    description: 'Adds the bot of the department to a chat that the visitor has opened, and starts it',
    trigger: eventOf('request.create'),
    conditions: { all: [...IS_NEW_CHAT, ofRequest('department.hasBot', 'equal', true)], any: [] },
    actions: [launchBot],
  },
  {
    code: 's_checkout_page_01',
    name: 'Offer help at the checkout',
    description:
      'Writes to a visitor who opens a conversation on a checkout page. Adapt the page address, then enable the trigger',
    trigger: eventOf('request.create'),
    conditions: { all: [ofRequest('sourcePage', 'in', '/checkout')], any: [] },
    actions: [{ key: 'message.send', parameters: { text: '${WELCOME_MSG}', sender: 'system' } }],
    enabled: false,
  },
  {
    code: 's_ticketing_taking_01',
    name: 'Confirm a ticket',
    description: 'Sends the ticket number to a visitor who has opened a conversation by email',
    trigger: eventOf('request.create'),
    conditions: { all: [ofRequest('channel.name', 'equal', 'email')], any: [] },
    actions: [
      {
        key: 'message.send',
        parameters: { text: 'We have received your message as ticket #{{request.ticket_id}}.', sender: 'system' },
      },
    ],
  },
] satisfies (Omit<BuiltInTrigger, 'enabled'> & { enabled?: boolean })[];

const FURTHER_TRIGGERS = [
  onEvent('s_new_login_01', 'new_login', {
    name: 'Open a chat at sign-in',
    description: 'Opens a temporary conversation when a visitor signs in',
    actions: [openHidden],
  }),
  onEvent('s_invite_proactive_greeting_bot_01', 'proactive_greeting', {
    name: 'Start a bot for a waiting visitor',
    description:
      'Opens a temporary conversation for a visitor who has been on a page for a while, and starts the bot of the department',
    actions: [openHidden, launchBot],
  }),
  onEvent('s_proactivegreeting_message_01', 'proactive_greeting', {
    name: 'Write to a waiting visitor',
    description: 'Opens a temporary conversation for a visitor who has been on a page for a while, and greets them',
    actions: [openHidden, sendMessage('WELCOME_MSG')],
  }),
];

/** The record fields that all built-in triggers share. */
const BUILT_IN_FIELDS = { type: 'internal', version: 1 } as const;

const toRecord = (trigger: Omit<BuiltInTrigger, 'enabled'> & { enabled?: boolean }) => ({
  enabled: true,
  ...trigger,
  ...BUILT_IN_FIELDS,
});

/** Returns the fields of the built-in triggers that every project starts with. */
export const defaultBuiltInTriggers = () => DEFAULT_TRIGGERS.map(toRecord);

/** Returns the fields of the built-in trigger with a code; undefined if there is none. */
export const findBuiltInTrigger = (code: string) =>
  [...DEFAULT_TRIGGERS, ...FURTHER_TRIGGERS].map(toRecord).find((trigger) => trigger.code === code);
