/** What a clock on the wall shows in a time zone, by the zone data that Node carries. */

/** A moment as people there read it: `day` is YYYY-MM-DD, `minute` counts from midnight by the clock, not by what has passed. */
export interface WallClock {
  day: string;
  minute: number;
}

const SHOWN = {
  calendar: 'gregory',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const;

const formats = new Map<string, Intl.DateTimeFormat>();

const make = (timeZone: string): Intl.DateTimeFormat | null => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, ...SHOWN });
  } catch (error) {
    if (error instanceof RangeError) return null; // its way to say that it knows no such zone
    throw error;
  }
};

/** Every name is kept with its format: there are some hundreds of zones, and no other name gets here but by an administrator. */
const formatOf = (zone: string): Intl.DateTimeFormat | null => {
  const known = formats.get(zone);
  if (known) return known;
  const made = make(zone);
  if (made) formats.set(zone, made);
  return made;
};

const utc = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...SHOWN });

/** True for a name of the tz database, such as `Europe/Rome`. */
export const isZone = (name: string): boolean => formatOf(name) !== null;

/** The clock on the wall of a zone; of UTC where the name means none (contract a 8.5). */
export const wallClock = (at: Date, zone: string): WallClock => {
  const format = formatOf(zone) ?? utc;
  const {
    year = '',
    month,
    day,
    hour,
    minute,
  } = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return { day: `${year.padStart(4, '0')}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) };
};
