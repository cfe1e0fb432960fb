/**
 * The names of custom events. The server interprets only typing events, which say that their author is writing a
 * message.
 */

/** The prefix of every custom event in the changes log; in the profile `deployed-clients`, a client may omit it. */
export const CUSTOM_EVENT_PREFIX = 'event.emit.';

/** The name of typing events without the prefix. */
export const TYPING_EVENT = 'typing.start';

/** Both names of typing events: deployed clients omit the prefix. */
export const TYPING_NAMES: readonly string[] = [TYPING_EVENT, CUSTOM_EVENT_PREFIX + TYPING_EVENT];

/** Returns whether a custom event with this name is a typing event. */
export const isTyping = (name: string): boolean => TYPING_NAMES.includes(name);
