/**
 * The time zones in which analytics are tested: UTC, a zone with an offset of 5 hours and 45 minutes, and zones with
 * daylight saving time.
 */
export const ZONES = ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Europe/Rome'];
