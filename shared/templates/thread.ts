/** The thread in which templates are rendered, in the language Liquid. A template sees what it is given, and no file. */
import { Liquid } from 'liquidjs';
import { serve } from '#shared/threads/serve.ts';

/** A template, its values as JSON, and the most characters of it and of what it makes. */
export interface Rendering {
  template: string;
  values: string;
  most: number;
}

/** By the clock, and looked at between tags only: the thread itself is ended after its own limit. */
const LONGEST_MS = 250;
/** As the language counts it: characters and items that are made on the way. */
const MOST_MADE = 100_000;

const liquid = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {}, // in place of the file system
  renderLimit: LONGEST_MS,
  memoryLimit: MOST_MADE,
  timezoneOffset: 0,
  locale: 'en-US',
});

const render = async ({ template, values, most }: Rendering): Promise<string> => {
  if (template.length > most) throw new Error(`The template is longer than ${most} characters`);
  const text: string = await liquid.parseAndRender(template, JSON.parse(values) as object);
  if (text.length > most) throw new Error(`What the template makes is longer than ${most} characters`);
  return text;
};

serve(render, { failed: 'TEMPLATE' });
