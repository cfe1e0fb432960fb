/** The time zones in which analytics are compared: without offset, with quarter hours, and with changing clocks. */
export const ZONES = ['UTC', 'Asia/Kathmandu', 'America/New_York', 'Europe/Rome'];
