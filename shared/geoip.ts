/** The place of an address, from the file that `GEOIP_FILE` names. It is read into memory once, when the first address is looked up. */
import { isIP } from 'node:net';
import { type CityResponse, open, type Reader } from 'maxmind';
import { config } from './config.ts';
import { logger } from './logger.ts';

const MAPPED = /^::ffff:(?=\d+\.)/i;

let reading: Promise<Reader<CityResponse> | null> | undefined;

/** The file was valid when the process started; one that cannot be read since is reported once, and no place is found. */
const read = async (file: string): Promise<Reader<CityResponse> | null> => {
  try {
    return await open<CityResponse>(file);
  } catch (error) {
    logger.error(
      { err: error, GEOIP_FILE: file },
      'GEOIP_FILE cannot be read: conversations are opened without a location',
    );
    return null;
  }
};

const find = (reader: Reader<CityResponse>, address: string): CityResponse | null => {
  try {
    return reader.get(address);
  } catch (error) {
    logger.warn({ err: error }, 'an address cannot be looked up in GEOIP_FILE');
    return null;
  }
};

const geometryOf = ({ longitude, latitude }: NonNullable<CityResponse['location']>) =>
  Number.isFinite(longitude) && Number.isFinite(latitude)
    ? { type: 'Point', coordinates: [longitude, latitude] }
    : undefined;

const placeOf = ({ country, subdivisions, city, location }: CityResponse): Record<string, unknown> => ({
  country: country?.iso_code,
  region: subdivisions?.[0]?.iso_code,
  city: city?.names?.en,
  geometry: location && geometryOf(location),
});

/** Country and region by their ISO codes, city by its English name, coordinates as in GeoJSON; undefined where nothing is known. */
export const locate = async (address: unknown): Promise<Record<string, unknown> | undefined> => {
  if (!config.GEOIP_FILE || typeof address !== 'string') return undefined;
  const plain = address.replace(MAPPED, '');
  if (!isIP(plain)) return undefined;
  const reader = await (reading ??= read(config.GEOIP_FILE));
  const found = reader && find(reader, plain);
  if (!found) return undefined;
  const known = Object.entries(placeOf(found)).filter(([, value]) => value !== undefined);
  return known.length ? Object.fromEntries(known) : undefined;
};
