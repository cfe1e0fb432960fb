/** Texts with places to be filled in, in the language Liquid. Their writers are not believed: a template sees what it is given, and no file, and it may neither take long nor grow. */
import { AppError } from './errors.ts';

const MOST_CHARACTERS = 32_000;
const LONGEST_MS = 50;
/** As the language counts it: characters and items that are made on the way. */
const MOST_MADE = 100_000;

const start = async () => {
  const { Liquid } = await import('liquidjs');
  return new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    templates: {}, // in place of the file system
    parseLimit: MOST_CHARACTERS,
    renderLimit: LONGEST_MS,
    memoryLimit: MOST_MADE,
    timezoneOffset: 0,
    locale: 'en-US',
  });
};

let engine: ReturnType<typeof start> | undefined;

const wrong = (message: string) =>
  new AppError(422, 'INVALID', `text: ${message}`).with({
    body: { errors: [{ path: 'text', param: 'text', code: 'template', message, msg: message, location: 'body' }] },
  });

/** The text that a template makes of plain values; 422, which names `text`, for a template that is broken or goes beyond its limits. */
export const render = async (template: string, values: Record<string, unknown>): Promise<string> => {
  const liquid = await (engine ??= start());
  const text = await liquid.parseAndRender(template, values).catch((error: Error) => {
    throw wrong(error.message); // nothing but the template runs here
  });
  if (text.length > MOST_CHARACTERS)
    throw wrong(`What the template makes is longer than ${MOST_CHARACTERS} characters`);
  return text;
};
