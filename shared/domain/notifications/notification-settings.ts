/** Reads the notification settings of projects and teammates, under `email.notification.conversation`. */

/** Settings as stored, not validated: clients may write any object. */
export type NotificationSettings = unknown;

const settingAt = (settings: NotificationSettings, name: string): unknown =>
  `email.notification.conversation.${name}`
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], settings);

/** A notification is enabled unless its setting is `false`. */
export const isEnabled = (settings: NotificationSettings, name: string): boolean => settingAt(settings, name) !== false;

/** A group of notifications is blocked if its setting is `true`. */
export const isBlocked = (settings: NotificationSettings, name: string): boolean => settingAt(settings, name) === true;
