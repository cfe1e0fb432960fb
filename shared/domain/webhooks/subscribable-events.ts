/** The event names that a subscription can have, and the events in the changes log that match them. */
import { registeredEvent } from '../../events.ts';
import { MESSAGE_STATUS } from '../../models/message.ts';

/** The name that matches every custom event. */
export const ANY_CUSTOM_EVENT = 'event.emit';

/** The older name of `request.updated`, with a shorter payload. */
export const UPDATE_COMMENT = 'request.update.comment';

/** The event that asks a subscription to select an agent. The changes log has no entries with this name. */
export const SYNCHRONOUS_EVENT = 'operator.select';

/** The payload fields of a message that determine the names of its event. */
export interface MessageFields {
  text?: string;
  status?: number;
  sender?: string;
  channel?: { name?: string };
  request?: {
    first_text?: string;
    lead?: { lead_id?: string } | null;
    channel?: { name?: string };
    channelOutbound?: { name?: string };
  };
}

const MESSAGE_EVENTS = new Set(['message.create', 'message.update']);
/** Names derived from `message.create` and `message.update`. The changes log has no entries with these names. */
const MESSAGE_VARIANT =
  /^message\.(sending|update\.first|create\.(first|from\.requester|(request\.channel|request\.channelOutbound|channel)\.[\w.-]+))$/;

/** Returns whether a subscription can have this event. Events of accounts require a global subscription. */
export const isSubscribable = (event: string): boolean =>
  event === ANY_CUSTOM_EVENT ||
  event === UPDATE_COMMENT ||
  event === SYNCHRONOUS_EVENT ||
  MESSAGE_VARIANT.test(event) ||
  registeredEvent(event) !== undefined;

type Candidate = string | false | undefined;

const namesAt = (prefix: string, suffixes: Candidate[]): string[] =>
  suffixes.flatMap((suffix) => (suffix ? [`${prefix}.${suffix}`] : []));

const messageVariants = (event: string, { text, status, sender, channel, request }: MessageFields): string[] => {
  const isFirst = text !== undefined && text === request?.first_text && 'first';
  const sending = namesAt('message', [status === MESSAGE_STATUS.sending && 'sending']);
  if (event === 'message.update') return [...namesAt(event, [isFirst]), ...sending];
  const names = namesAt(event, [
    isFirst,
    sender !== undefined && sender === request?.lead?.lead_id && 'from.requester',
    request?.channel?.name && `request.channel.${request.channel.name}`,
    request?.channelOutbound?.name && `request.channelOutbound.${request.channelOutbound.name}`,
    channel?.name && `channel.${channel.name}`,
  ]);
  return [...names, ...sending];
};

/** Returns whether an event in the changes log also has names that are derived from its payload (variants). */
export const hasVariants = (event: string): boolean => MESSAGE_EVENTS.has(event);

/** Returns all event names whose subscriptions receive an event. `message` is the payload if the event has variants. */
export const subscribedNames = (event: string, message: MessageFields = {}): string[] => {
  if (event.startsWith(`${ANY_CUSTOM_EVENT}.`)) return [event, ANY_CUSTOM_EVENT];
  if (event === 'request.updated') return [event, UPDATE_COMMENT];
  return hasVariants(event) ? [event, ...messageVariants(event, message)] : [event];
};
