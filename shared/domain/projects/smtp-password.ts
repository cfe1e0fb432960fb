/**
 * The password of a project's SMTP server in updates of the project. It is stored separately from the settings. It is
 * deleted if the server changes without a new password, so that an admin, who cannot read the password, cannot have it
 * sent to another server.
 */
import type { ClientSession } from 'mongoose';
import { Project } from '../../models/project.ts';
import { encryptPassword, isSameServer, parseServer } from '../mails/sender-settings.ts';

type Fields = Record<string, unknown>;

const HOST_PATH = 'settings.email.config.host';
const PORT_PATH = 'settings.email.config.port';
const PASSWORD_PATH = 'settings.email.config.pass';

interface ProjectSettings {
  email?: { config?: Fields | null } | null;
}

/**
 * Moves the password from the settings to `smtpPassword`, in encrypted form. The API never returns the password, so it
 * is absent from settings that a client has read and sends back.
 */
export const extractPassword = (id: string, { [PASSWORD_PATH]: flat, settings, ...rest }: Fields): Fields => {
  const { email, ...others } = (settings ?? {}) as ProjectSettings;
  const { pass = flat, ...server } = email?.config ?? {};
  const cleaned = email?.config ? { ...others, email: { ...email, config: server } } : settings;
  return {
    ...rest,
    ...(settings ? { settings: cleaned } : {}),
    ...(typeof pass === 'string' ? { smtpPassword: pass && encryptPassword(id, pass) } : {}),
  };
};

const serverConfig = (settings: unknown): Fields => (settings as ProjectSettings | undefined)?.email?.config ?? {};

/**
 * Returns the field that deletes the stored password if `fields` (from `extractPassword`) change the host or port of
 * the SMTP server and contain no password; otherwise returns no field. Call this function in the transaction of the
 * update, so that the update is repeated if another one changes the server at the same time.
 */
export const deletedPassword = async (id: string, fields: Fields, session: ClientSession): Promise<Fields> => {
  const { smtpPassword, settings, [HOST_PATH]: host, [PORT_PATH]: port } = fields;
  if (smtpPassword !== undefined || (settings ?? host ?? port) === undefined) return {};
  const query = Project.findOne({ _id: id }, { 'settings.email.config': 1 }, { session });
  const stored = serverConfig((await query.lean<{ settings?: unknown }>())?.settings);
  const dotted = { ...(host !== undefined && { host }), ...(port !== undefined && { port }) };
  const changed = settings ? serverConfig(settings) : { ...stored, ...dotted };
  return isSameServer(parseServer(stored), parseServer(changed)) ? {} : { smtpPassword: '' };
};
