/** Who wants no mails on conversations: what projects and teammates switch off in their settings (contract b 2.9, d D.4). Pure. */

/** Settings as they are stored: whatever a client wrote. */
export type Settings = unknown;

const valueAt = (settings: Settings, name: string): unknown =>
  `email.notification.conversation.${name}`
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], settings);

/** Mails are wanted unless a switch is set to `false`. */
export const wants = (settings: Settings, name: string): boolean => valueAt(settings, name) !== false;

/** Nothing is wanted where a block is set to `true`. */
export const blocks = (settings: Settings, name: string): boolean => valueAt(settings, name) === true;
