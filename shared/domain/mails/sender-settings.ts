/** The settings of a project about the mails that are sent for it: its SMTP server, sender, subjects and templates. */
import { config } from '../../config.ts';
import { AppError, invalidField } from '../../errors.ts';
import {
  DEFAULT_TEMPLATES,
  EDITABLE_TEMPLATES,
  type EditableTemplate,
  isEditable,
} from '../../mail/default-templates.ts';
import type { SmtpServer } from '../../mail/guarded-smtp.ts';
import { PROJECT_ACTIVE, Project } from '../../models/project.ts';
import { decryptSecret, encryptSecret } from '../../security/secrets.ts';
import { renderMailTemplate } from '../../templates/render-template.ts';
import { isId } from '../../wire/view.ts';

/** `settings.email` as stored. Only what the checks below accept is used. */
export interface EmailSettings {
  from?: unknown;
  config?: Record<string, unknown>;
  templates?: Record<string, unknown>;
  [subject: string]: unknown;
}

interface StoredProject {
  name: string;
  settings?: { email?: EmailSettings };
  smtpPassword?: string;
}

/** The sender of a project's mails. */
export interface ProjectSender {
  id: string;
  name: string;
  /** Its own SMTP server. */
  server?: SmtpServer;
  /** Its own sender address, with an optional name. */
  from?: { name: string; address: string };
  settings: EmailSettings;
}

const SENDER = /^(?:([^<>@,]*?) ?<([^<>@,\s]+@[^<>@,\s]+)>|([^<>@,\s]+@[^<>@,\s]+))$/;

const parseSender = (from: unknown): ProjectSender['from'] => {
  const [, name = '', bracketed, plain] = SENDER.exec(typeof from === 'string' ? from.trim() : '') ?? [];
  const address = bracketed ?? plain;
  return address ? { name: name.replaceAll('"', '').trim(), address } : undefined;
};

const passwordName = (id: string): string => `smtp password of ${id}`;

/** Encrypts the password of a project's SMTP server for storage. */
export const encryptPassword = (id: string, password: string): string => encryptSecret(password, passwordName(id));

const optionalText = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

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

/** Reads the sender of a project; null if the project is closed or does not exist. */
export const readSender = async (id_project: string): Promise<ProjectSender | null> => {
  if (!isId(id_project)) return null;
  const fields = { name: 1, 'settings.email': 1, smtpPassword: 1 } as const;
  const project = await Project.findOne({ _id: id_project, status: PROJECT_ACTIVE }, fields).lean<StoredProject>();
  if (!project) return null;
  const settings = project.settings?.email ?? {};
  const pass = project.smtpPassword ? decryptSecret(project.smtpPassword, passwordName(id_project)) : null;
  const server = parseServer({ ...settings.config, ...(pass !== null && { pass }) });
  return { id: id_project, name: project.name, server, from: parseSender(settings.from), settings };
};

/** Whether a project has an SMTP server of its own. */
export const hasOwnServer = async (id_project: string): Promise<boolean> =>
  isId(id_project) &&
  (await Project.exists({ _id: id_project, 'settings.email.config.host': { $type: 'string', $nin: [''] } })) !== null;

/** Whether a project may send from this address: over its own server, or where the instance trusts the domain. */
export const mayUseSender = ({ server, from }: Pick<ProjectSender, 'server' | 'from'>): boolean => {
  const domain = from?.address.split('@')[1]?.toLowerCase() ?? '';
  const trusted = config.MAIL_SENDER_DOMAINS.map((each) => each.toLowerCase());
  return server !== undefined || trusted.includes('*') || trusted.includes(domain);
};

/** The template and the subject of a project for a mail, both in Handlebars. */
export interface OwnTemplate {
  html?: string;
  subject?: string;
}

/** Returns what a project has set in place of a built-in template. */
export const ownTemplate = ({ templates = {}, ...settings }: EmailSettings, key: EditableTemplate): OwnTemplate => {
  const template = templates[key];
  const fields = (typeof template === 'object' && template !== null ? template : { html: template }) as OwnTemplate;
  const name = `${key}Subject`;
  return {
    html: optionalText(fields.html),
    subject: optionalText(templates[name]) ?? optionalText(settings[name]) ?? optionalText(fields.subject),
  };
};

const checkTemplate = async (
  path: string,
  template: string,
  options: { project: string; language: 'mail-html' | 'mail-subject' },
): Promise<void> => {
  try {
    await renderMailTemplate(template, {}, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw invalidField(path, `must be a valid Handlebars template: ${error.message}`);
  }
};

const isWrongType = (template: unknown): boolean =>
  template != null && typeof template !== 'string' && typeof (template as OwnTemplate | undefined)?.html !== 'string';

/**
 * Checks the settings of a project about mails. Throws 422, naming the setting, for a sender that is no address, and
 * for a template that is invalid or neither a text nor an object with a text `html`.
 */
export const assertEmailSettings = async (id: string, settings: EmailSettings): Promise<void> => {
  if (settings.from && !parseSender(settings.from))
    throw invalidField('settings.email.from', 'must be an address, or a name and an address as in Us <us@example.com>');
  for (const key of EDITABLE_TEMPLATES) {
    const path = `settings.email.templates.${key}`;
    if (isWrongType(settings.templates?.[key]))
      throw invalidField(path, 'must be a text, or an object with the text `html`');
    const { html, subject } = ownTemplate(settings, key);
    if (html) await checkTemplate(path, html, { project: id, language: 'mail-html' });
    if (subject) await checkTemplate(`${path}Subject`, subject, { project: id, language: 'mail-subject' });
  }
};

/** Returns the built-in HTML of a template that projects may replace; undefined for another one. */
export const builtInTemplate = (key: string): string | undefined =>
  isEditable(key) ? DEFAULT_TEMPLATES[key] : undefined;
