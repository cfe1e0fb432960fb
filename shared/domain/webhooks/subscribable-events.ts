/** The names of events that a subscription can have, and the events of the changes log that match them. */
import { registeredEvent } from '../../events.ts';

/** The name that matches every custom event. */
export const ANY_CUSTOM_EVENT = 'event.emit';

/** The payload fields of a message that select the names of its event. */
export interface MessageFields {
  text?: string;
  sender?: string;
  channel?: { name?: string };
  request?: { first_text?: string; lead?: { lead_id?: string } | null; channel?: { name?: string } };
}

const MESSAGE_EVENT = 'message.create';
const MESSAGE_VARIANT = /^message\.create\.(first|from\.requester|(request\.channel|channel)\.[\w.-]+)$/;

/** Whether a subscription can have this event. */
export const isSubscribable = (event: string): boolean =>
  event === ANY_CUSTOM_EVENT || MESSAGE_VARIANT.test(event) || registeredEvent(event) !== undefined;

const messageVariants = ({ text, sender, channel, request }: MessageFields): string[] => {
  const names: (string | false | undefined)[] = [
    text !== undefined && text === request?.first_text && 'first',
    sender !== undefined && sender === request?.lead?.lead_id && 'from.requester',
    request?.channel?.name && `request.channel.${request.channel.name}`,
    channel?.name && `channel.${channel.name}`,
  ];
  return names.flatMap((name) => (name ? [`${MESSAGE_EVENT}.${name}`] : []));
};

/** Whether an event of the changes log has variants, for which its payload is needed. */
export const hasVariants = (event: string): boolean => event === MESSAGE_EVENT;

/** Returns all names under which an event can be subscribed. `message`: the payload, if the event has variants. */
export const subscribedNames = (event: string, message: MessageFields = {}): string[] => {
  if (event.startsWith(`${ANY_CUSTOM_EVENT}.`)) return [event, ANY_CUSTOM_EVENT];
  return hasVariants(event) ? [event, ...messageVariants(message)] : [event];
};
