/** Formats numbers, durations and dates. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  [DAY, 'd', HOUR, 'h'],
  [HOUR, 'h', MINUTE, 'min'],
  [MINUTE, 'min', SECOND, 's'],
];

/** The text of an absent value. */
export const NONE = '–';

const orNone = (format) => (value) => (value === null || value === undefined ? NONE : format(value));

export const count = orNone((value) => value.toLocaleString('en'));
export const rating = orNone((value) => value.toFixed(2));
export const percent = orNone((value) => `${Math.round(value * 100)}%`);

/** Formats a duration in its two largest units, such as `3 min 20 s`. */
export const duration = orNone((milliseconds) => {
  const seconds = Math.round(milliseconds / SECOND) * SECOND;
  const unit = UNITS.find(([size]) => seconds >= size);
  if (!unit) return `${seconds / SECOND} s`;
  const [size, name, smallerSize, smallerName] = unit;
  const rest = Math.floor((seconds % size) / smallerSize);
  return `${Math.floor(seconds / size)} ${name}${rest ? ` ${rest} ${smallerName}` : ''}`;
});

const dayFormat = (options) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (day) => format.format(new Date(`${day}T00:00:00Z`));
};

/** `Tue 3 Nov 2026` */
export const longDay = dayFormat({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** `3 Nov` */
export const shortDay = dayFormat({ day: 'numeric', month: 'short' });

export const hour = (value) => `${String(value).padStart(2, '0')}:00`;

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
