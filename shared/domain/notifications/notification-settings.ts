/** Reads the notification settings of projects and teammates, stored under `email.notification.conversation`. */

/** Stored settings. They are not validated, because clients may write any object. */
export type NotificationSettings = unknown;

const settingAt = (settings: NotificationSettings, name: string): unknown =>
  `email.notification.conversation.${name}`
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], settings);

/** Returns whether a notification is enabled: its setting is not `false`. */
export const isEnabled = (settings: NotificationSettings, name: string): boolean => settingAt(settings, name) !== false;

/** Returns whether a group of notifications is blocked: its setting is `true`. */
export const isBlocked = (settings: NotificationSettings, name: string): boolean => settingAt(settings, name) === true;
