/** The time zones in which analytics are compared: UTC, an offset in quarter hours, and daylight saving time. */
export const ZONES = ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Europe/Rome'];
