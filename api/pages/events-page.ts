/** The reference for events and sockets: the AsyncAPI document as a page without scripts. */
import { escapeHtml } from '#shared/security/escape-html.ts';
import type { JsonObject } from '../realtime/asyncapi/json-schema.ts';

/** Escapes text as HTML and converts parts in backquotes to code elements. */
const prose = (text: unknown = ''): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The keywords of a JSON schema that the page shows. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}

interface Message {
  name: string;
  summary?: string;
  payload: Schema;
}

/** The parts of the document that the page shows. */
interface Document {
  channels: Record<string, { address: string; description: string }>;
  operations: Record<string, { summary: string; channel: { $ref: string }; messages: { $ref: string }[] }>;
  components: { messages: Record<string, Message>; schemas: Record<string, Schema> };
}

const lastPart = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** Returns the type of a value as one line of HTML, with links to records. */
const typeOf = (schema: Schema): string => {
  const { $ref, items, anyOf, oneOf, enum: values } = schema;
  const alternatives = anyOf ?? oneOf;
  if ($ref) return `<a href="#schema-${escapeHtml(lastPart($ref))}">${escapeHtml(lastPart($ref))}</a>`;
  if (alternatives) return [...new Set(alternatives.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (values) return values.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(' ');
  if (items) return `array of ${typeOf(items)}`;
  return escapeHtml([schema.type ?? 'any'].flat().join(' or '));
};

/**
 * Returns the table rows of an object's properties. The properties of a nested object follow, prefixed with its path.
 */
const rowsOf = ({ properties = {}, required = [] }: Schema, path = ''): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const optional = required.includes(name) ? '' : ' <i>optional</i>';
      const cells = [`<code>${path}${escapeHtml(name)}</code>${optional}`, typeOf(schema), prose(schema.description)];
      const inner = [schema, ...(schema.items ? [schema.items] : [])].find((each) => each.properties);
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>${inner ? rowsOf(inner, `${path}${escapeHtml(name)}.`) : ''}`;
    })
    .join('\n');

const tableOf = (schema: Schema): string =>
  schema.properties
    ? `<table><thead><tr><th>Field</th><th>Type</th><th></th></tr></thead><tbody>${rowsOf(schema)}</tbody></table>`
    : `<p>${typeOf(schema)}</p>`;

const messageHtml = ({ name, summary, payload }: Message): string =>
  `<details><summary><code>${escapeHtml(name)}</code> ${prose(summary)}</summary>${tableOf(payload)}</details>`;

const operationHtml = ({ summary, messages }: Document['operations'][string], { components }: Document): string =>
  `<h3>${escapeHtml(summary)}</h3>${messages
    .map(({ $ref }) => messageHtml(components.messages[lastPart($ref)] as Message))
    .join('\n')}`;

const channelHtml = ([key, { address, description }]: [string, Document['channels'][string]], document: Document) => {
  const operations = Object.values(document.operations).filter(({ channel }) => lastPart(channel.$ref) === key);
  return `<section><h2 id="${escapeHtml(key)}"><code>${escapeHtml(address)}</code></h2><p>${prose(description)}</p>${operations
    .map((operation) => operationHtml(operation, document))
    .join('\n')}</section>`;
};

const schemaHtml = ([name, schema]: [string, Schema]): string =>
  `<details id="schema-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary>${tableOf(schema)}</details>`;

/** Renders the channels of the document with their messages, and the records of the messages. */
export const eventsReference = (asyncapi: JsonObject): string => {
  const document = asyncapi as unknown as Document;
  return [
    ...Object.entries(document.channels).map((channel) => channelHtml(channel, document)),
    `<section><h2 id="records">Records</h2>${Object.entries(document.components.schemas).map(schemaHtml).join('\n')}</section>`,
  ].join('\n');
};
