/** Separates the keys in the settings of an integration from the other settings, and encrypts the keys. */
import { decryptSecret, encryptSecret } from '../../security/secrets.ts';

type Settings = Record<string, unknown>;

/** Matches the names of fields that contain keys, at any depth, such as `apikey`, `access_token` or `clientSecret`. */
const KEY_FIELD = /(api[_-]?key|private[_-]?key|secret|token|password|authorization|credentials?)$/i;

/** Keys by the path of their field, such as `servers.0.token`. */
type Keys = Record<string, string>;

const isKey = (name: string, value: unknown): value is string => KEY_FIELD.test(name) && typeof value === 'string';

const isObject = (value: unknown): value is Settings => value !== null && typeof value === 'object';

/** Replaces every key with the result of `replace`, which gets the key and the path of its field. */
const mapKeys = (value: unknown, replace: (key: string, path: string) => string, path = ''): unknown => {
  if (Array.isArray(value)) return value.map((item, index) => mapKeys(item, replace, `${path}${index}.`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      isKey(name, field) ? replace(field, path + name) : mapKeys(field, replace, `${path}${name}.`),
    ]),
  );
};

/** Returns the settings with all keys emptied, and the keys. An empty key gets the value stored for its path. */
export const separateKeys = (settings: Settings, storedKeys: Keys = {}): { value: Settings; keys: Keys } => {
  const keys: Keys = {};
  const value = mapKeys(settings, (key, path) => {
    const ownKey = key || storedKeys[path];
    if (ownKey) keys[path] = ownKey;
    return '';
  });
  return { value: value as Settings, keys };
};

const secretName = (id_project: string, name: string): string => `integration ${id_project} ${name}`;

/** Encrypts the keys of an integration. */
export const encryptKeys = (keys: Keys, { id_project, name }: { id_project: string; name: string }): string =>
  encryptSecret(JSON.stringify(keys), secretName(id_project, name));

/** Decrypts the keys of an integration. Returns no keys if none are stored or the instance's key has changed. */
export const decryptKeys = (
  secrets: string | null | undefined,
  { id_project, name }: { id_project: string; name: string },
): Keys => {
  const text = secrets ? decryptSecret(secrets, secretName(id_project, name)) : null;
  return text ? (JSON.parse(text) as Keys) : {};
};
