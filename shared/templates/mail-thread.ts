/**
 * Renders Handlebars templates of emails, in the template thread. Only own properties of the values are visible, and
 * only the helpers below exist. `{{{name}}}` escapes like `{{name}}`, because values contain text written by visitors.
 * The values in `TRUSTED_HTML` are already escaped and are inserted unchanged.
 */
import Handlebars from 'handlebars';
import { convert } from 'html-to-text';

/** Names of values that are HTML, which this system has built from escaped text. */
const TRUSTED_HTML = new Set(['msgText', 'transcript']);
const HELPERS = { if: true, unless: true, each: true, with: true };

/** Options of the conversion to plain text, which leaves out the HTML beyond the limits. */
const TEXT_OPTIONS = { wordwrap: false, limits: { maxDepth: 100, maxInputLength: 1_000_000 } } as const;

const handlebars = Handlebars.create();
for (const name of ['lookup', 'log']) handlebars.unregisterHelper(name);

class Escaper extends Handlebars.Visitor {
  override MustacheStatement(statement: hbs.AST.MustacheStatement): void {
    const { original } = statement.path as hbs.AST.PathExpression;
    statement.escaped = !TRUSTED_HTML.has(original);
    super.MustacheStatement(statement);
  }

  override PartialStatement(): void {
    throw new Error('Partials ({{> name}}) are not available in email templates');
  }

  override PartialBlockStatement(): void {
    throw new Error('Partials ({{#> name}}) are not available in email templates');
  }

  override Decorator(): void {
    throw new Error('Decorators ({{* name}}) are not available in email templates');
  }

  override DecoratorBlock(): void {
    throw new Error('Decorators ({{#* name}}) are not available in email templates');
  }
}

/**
 * Renders an email template as HTML with a plain-text version, or as plain text only. Returns a JSON object with
 * `text` and, for HTML, `html`. Throws if the template is invalid.
 */
export const renderMail = (template: string, values: object, isHtml: boolean): string => {
  const program = handlebars.parse(template);
  new Escaper().accept(program);
  const options = { noEscape: !isHtml, knownHelpersOnly: true, knownHelpers: HELPERS };
  const result = handlebars.compile(program, options)(values, {
    allowProtoPropertiesByDefault: false,
    allowProtoMethodsByDefault: false,
  });
  return JSON.stringify(isHtml ? { html: result, text: convert(result, TEXT_OPTIONS) } : { text: result });
};
