/**
 * Looks up the location of IP addresses in the file that `GEOIP_FILE` names. The file is read into memory at the first
 * lookup.
 */
import { isIP } from 'node:net';
import type { CityResponse, Reader } from 'maxmind';
import { config } from '../config.ts';
import { logger } from '../logger.ts';

const IPV4_MAPPED_PREFIX = /^::ffff:(?=\d+\.)/i;

let readerPromise: Promise<Reader<CityResponse> | null> | undefined;

/**
 * Opens the file, which was valid at start-up. If it has become unreadable, logs an error and returns null. Lookups
 * then find nothing.
 */
const openReader = async (file: string): Promise<Reader<CityResponse> | null> => {
  try {
    const { open } = await import('maxmind'); // loaded on demand: most instances have no such file
    return await open<CityResponse>(file);
  } catch (error) {
    logger.error(
      { err: error, GEOIP_FILE: file },
      'GEOIP_FILE cannot be read: conversations are opened without a location',
    );
    return null;
  }
};

const lookUp = (reader: Reader<CityResponse>, address: string): CityResponse | null => {
  try {
    return reader.get(address);
  } catch (error) {
    logger.warn({ err: error }, 'looking up an address in GEOIP_FILE failed');
    return null;
  }
};

const geometryOf = ({ longitude, latitude }: NonNullable<CityResponse['location']>) =>
  Number.isFinite(longitude) && Number.isFinite(latitude)
    ? { type: 'Point', coordinates: [longitude, latitude] }
    : undefined;

const locationOf = ({ country, subdivisions, city, location }: CityResponse): Record<string, unknown> => ({
  country: country?.iso_code,
  region: subdivisions?.[0]?.iso_code,
  city: city?.names?.en,
  geometry: location && geometryOf(location),
});

/**
 * Returns the location of an IP address: the ISO codes of the country and the region, the English name of the city, and
 * the coordinates as GeoJSON. Returns undefined if the location is unknown.
 */
export const locateAddress = async (address: unknown): Promise<Record<string, unknown> | undefined> => {
  if (!config.GEOIP_FILE || typeof address !== 'string') return undefined;
  const plainAddress = address.replace(IPV4_MAPPED_PREFIX, '');
  if (!isIP(plainAddress)) return undefined;
  const reader = await (readerPromise ??= openReader(config.GEOIP_FILE));
  const record = reader && lookUp(reader, plainAddress);
  if (!record) return undefined;
  const fields = Object.entries(locationOf(record)).filter(([, value]) => value !== undefined);
  return fields.length ? Object.fromEntries(fields) : undefined;
};
