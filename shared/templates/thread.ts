/**
 * The thread that renders templates: Liquid in messages, Handlebars in emails. A template can access its values but no
 * files.
 */
import { Liquid } from 'liquidjs';
import { serveTasks } from '../concurrency/thread-tasks.ts';
import { renderMail } from './mail-thread.ts';

/** A template, its values as JSON, and the maximum length of the template and of its output. */
export interface RenderTask {
  template: string;
  values: string;
  maxCharacters: number;
  /** Liquid, or Handlebars for the HTML of an email or for its subject, which is plain text. */
  syntax: 'liquid' | 'mail-html' | 'mail-subject';
}

/** A wall-clock limit that Liquid checks only between tags. The pool also terminates the thread at its own limit. */
const RENDER_LIMIT_MS = 250;
/** Liquid's memory limit, in characters and items created during rendering. */
const MAX_ITEMS_CREATED = 100_000;

const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {}, // partials are looked up here instead of in the file system
  renderLimit: RENDER_LIMIT_MS,
  memoryLimit: MAX_ITEMS_CREATED,
  timezoneOffset: 0,
  locale: 'en-US',
});

const render = async ({ template, values, maxCharacters, syntax }: RenderTask): Promise<string> => {
  if (template.length > maxCharacters) throw new Error(`The template is longer than ${maxCharacters} characters`);
  const parsed = JSON.parse(values) as object;
  const text: string =
    syntax === 'liquid'
      ? await liquid.parseAndRender(template, parsed)
      : renderMail(template, parsed, syntax === 'mail-html');
  if (text.length > maxCharacters)
    throw new Error(`The output of the template is longer than ${maxCharacters} characters`);
  return text;
};

serveTasks(render, { failureCode: 'TEMPLATE_INVALID' });
