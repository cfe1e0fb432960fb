/** The settings of a project for the emails that are sent on its behalf: its SMTP server and its sender. */
import { config } from '../../config.ts';
import type { SmtpServer } from '../../mail/guarded-smtp.ts';
import { Project } from '../../models/project.ts';
import { decryptSecret, encryptSecret } from '../../security/secrets.ts';
import { findCachedProject } from '../access/cached-project.ts';

/** The stored `settings.email`. Only values that pass the checks below are used. */
export interface EmailSettings {
  from?: unknown;
  config?: Record<string, unknown>;
  templates?: Record<string, unknown>;
  [subject: string]: unknown;
}

interface StoredProject {
  name: string;
  settings?: { email?: EmailSettings };
}

/** The sender of a project's emails. */
export interface ProjectSender {
  id: string;
  name: string;
  /** The project's own SMTP server. */
  server?: SmtpServer;
  /** The project's own sender address, with an optional name. */
  from?: { name: string; address: string };
  settings: EmailSettings;
}

const SENDER = /^(?:([^<>@,]*?) ?<([^<>@,\s]+@[^<>@,\s]+)>|([^<>@,\s]+@[^<>@,\s]+))$/;

/** Reads a sender address with an optional name; undefined if it is invalid. */
export const parseSender = (from: unknown): ProjectSender['from'] => {
  const [, name = '', bracketed, plain] = SENDER.exec(typeof from === 'string' ? from.trim() : '') ?? [];
  const address = bracketed ?? plain;
  return address ? { name: name.replaceAll('"', '').trim(), address } : undefined;
};

const passwordName = (id: string): string => `smtp password of ${id}`;

/** Encrypts the password of a project's SMTP server for storage. */
export const encryptPassword = (id: string, password: string): string => encryptSecret(password, passwordName(id));

/** Returns the value if it is a string that is not empty, otherwise undefined. */
export const optionalText = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined;

/** Reads the server in `settings.email.config`; undefined without a host. */
export const parseServer = ({
  host,
  port,
  secure,
  user,
  pass,
}: Record<string, unknown> = {}): SmtpServer | undefined => {
  const name = optionalText(host)?.trim();
  if (!name) return undefined;
  const portNumber = Number(port);
  return {
    host: name,
    ...(Number.isInteger(portNumber) && portNumber > 0 && portNumber < 65_536 && { port: portNumber }),
    ...(secure !== undefined && secure !== null && { secure: secure === true || secure === 'true' }),
    user: optionalText(user),
    pass: optionalText(pass),
  };
};

/** Returns whether two SMTP servers have the same host and port. A stored password is used for the same server only. */
export const isSameServer = (one?: SmtpServer, other?: SmtpServer): boolean =>
  one?.host === other?.host && one?.port === other?.port;

/** Reads the password of a project's SMTP server from MongoDB, because it is not cached; null if none is stored. */
const readPassword = async (id_project: string): Promise<string | null> => {
  const stored = await Project.findOne({ _id: id_project }, { smtpPassword: 1 }).lean();
  return stored?.smtpPassword ? decryptSecret(stored.smtpPassword, passwordName(id_project)) : null;
};

/** Reads the sender of a project; null if the project is closed or does not exist. */
export const readSender = async (id_project: string): Promise<ProjectSender | null> => {
  const project = (await findCachedProject(id_project)) as StoredProject | null;
  if (!project) return null;
  const settings = project.settings?.email ?? {};
  const pass = parseServer(settings.config) ? await readPassword(id_project) : null;
  const server = parseServer({ ...settings.config, ...(pass !== null && { pass }) });
  return { id: id_project, name: project.name, server, from: parseSender(settings.from), settings };
};

/** Returns whether a project has an SMTP server of its own. */
export const hasOwnServer = async (id_project: string): Promise<boolean> => {
  const project = (await findCachedProject(id_project)) as StoredProject | null;
  return parseServer(project?.settings?.email?.config) !== undefined;
};

/**
 * Returns whether a project may send from its address: it has its own server, or the instance trusts the domain.
 */
export const mayUseSender = ({ server, from }: Pick<ProjectSender, 'server' | 'from'>): boolean => {
  const domain = from?.address.split('@')[1]?.toLowerCase() ?? '';
  const trusted = config.MAIL_SENDER_DOMAINS.map((each) => each.toLowerCase());
  return server !== undefined || trusted.includes('*') || trusted.includes(domain);
};
