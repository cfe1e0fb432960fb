/**
 * The templates that a project may replace: HTML in Handlebars syntax. A project can use them as the starting point for
 * its own templates. An email for which the project has no template of its own contains the plain text from
 * `conversation-templates.ts`.
 */
import type { TemplateName } from './templates.ts';

const page = (...paragraphs: string[]): string =>
  [
    '<!doctype html>',
    '<html>',
    '<body style="font-family: sans-serif; font-size: 15px; line-height: 1.5; color: #222">',
    ...paragraphs.map((paragraph) => `  ${paragraph}`),
    '</body>',
    '</html>',
    '',
  ].join('\n');

const QUOTE =
  '<blockquote style="border-left: 3px solid #ccc; margin: 0; padding-left: 12px">{{{msgText}}}</blockquote>';
const LINK = '{{#if link}}<p><a href="{{link}}">Open the conversation</a></p>{{/if}}';

const notice = (sentence: string): string => page('<p>Hello,</p>', `<p>${sentence}</p>`, QUOTE, LINK);

export const DEFAULT_TEMPLATES = {
  assignedRequest: notice('The conversation with {{visitor}} in {{project.name}} was assigned to you:'),
  pooledRequest: notice('{{visitor}} has started a conversation in {{project.name}} that no agent has joined yet:'),
  assignedEmailMessage: notice('{{sender}} has written to you:'),
  pooledEmailMessage: notice('{{sender}} has written in a conversation that no agent has joined yet:'),
  newMessageFollower: notice('{{sender}} has written in a conversation that you follow:'),
  newMessage: notice('{{sender}} of {{project.name}} has replied to you:'),
  ticket: page('<div>{{{msgText}}}</div>'),
  sendTranscript: page(
    '<p>Hello,</p>',
    '<p>The conversation is closed. Its transcript:</p>',
    '<div>{{{transcript}}}</div>',
  ),
  emailDirect: page('<div>{{{msgText}}}</div>'),
} as const satisfies Partial<Record<TemplateName, string>>;

/** The name of a template that a project may replace. */
export type EditableTemplate = keyof typeof DEFAULT_TEMPLATES;

export const EDITABLE_TEMPLATES = Object.keys(DEFAULT_TEMPLATES) as EditableTemplate[];

/** Whether a project may replace a template. */
export const isEditable = (template: string): template is EditableTemplate =>
  Object.hasOwn(DEFAULT_TEMPLATES, template);
