/** The names of events that a subscription can have, and the events of the changes log that match them. */
import { registeredEvent } from '../../events.ts';
import { MESSAGE_STATUS } from '../../models/message.ts';

/** The name that matches every custom event. */
export const ANY_CUSTOM_EVENT = 'event.emit';

/** The older form of `request.updated`. */
export const UPDATE_COMMENT = 'request.update.comment';

/** The payload fields of a message that select the names of its event. */
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
/** Derived names: the log has one entry, `message.create` or `message.update`. */
const MESSAGE_VARIANT =
  /^message\.(sending|update\.first|create\.(first|from\.requester|(request\.channel|request\.channelOutbound|channel)\.[\w.-]+))$/;

/** Whether a subscription can have this event; those of accounts, only a global one. */
export const isSubscribable = (event: string): boolean =>
  event === ANY_CUSTOM_EVENT ||
  event === UPDATE_COMMENT ||
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

/** Whether an event of the changes log has variants, for which its payload is needed. */
export const hasVariants = (event: string): boolean => MESSAGE_EVENTS.has(event);

/** Returns all names under which an event can be subscribed. `message`: the payload, if the event has variants. */
export const subscribedNames = (event: string, message: MessageFields = {}): string[] => {
  if (event.startsWith(`${ANY_CUSTOM_EVENT}.`)) return [event, ANY_CUSTOM_EVENT];
  if (event === 'request.updated') return [event, UPDATE_COMMENT];
  return hasVariants(event) ? [event, ...messageVariants(event, message)] : [event];
};
