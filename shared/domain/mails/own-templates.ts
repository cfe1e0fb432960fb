/** A project's own templates and subjects, which replace the built-in ones, and the check of its email settings. */
import { AppError, invalidField } from '../../errors.ts';
import {
  DEFAULT_TEMPLATES,
  EDITABLE_TEMPLATES,
  type EditableTemplate,
  isEditable,
} from '../../mail/default-templates.ts';
import { renderMailTemplate } from '../../templates/render-template.ts';
import { type EmailSettings, optionalText, parseSender } from './sender-settings.ts';

/** A project's template and subject for one kind of email, both in Handlebars. */
export interface OwnTemplate {
  html?: string;
  subject?: string;
}

/** Returns the template and subject that a project uses instead of the built-in ones. */
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
  options: { project: string; syntax: 'mail-html' | 'mail-subject' },
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
 * Checks the email settings of a project. Throws 422, naming the setting, for a sender that is not an address, and for
 * a template that is invalid or is neither a string nor an object with a string `html`.
 */
export const assertEmailSettings = async (id: string, settings: EmailSettings): Promise<void> => {
  if (settings.from && !parseSender(settings.from))
    throw invalidField(
      'settings.email.from',
      'must be an email address, optionally with a name, for example: Support <support@example.com>',
    );
  for (const key of EDITABLE_TEMPLATES) {
    const path = `settings.email.templates.${key}`;
    if (isWrongType(settings.templates?.[key]))
      throw invalidField(path, 'must be a string, or an object with a string `html`');
    const { html, subject } = ownTemplate(settings, key);
    if (html) await checkTemplate(path, html, { project: id, syntax: 'mail-html' });
    if (subject) await checkTemplate(`${path}Subject`, subject, { project: id, syntax: 'mail-subject' });
  }
};

/** Returns the built-in HTML of a template that projects may replace; undefined for any other key. */
export const builtInTemplate = (key: string): string | undefined =>
  isEditable(key) ? DEFAULT_TEMPLATES[key] : undefined;
