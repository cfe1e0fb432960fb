import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { events } from '#shared/events.ts';
import { api } from '../support/api.ts';
import { relayedChanges } from '../support/changes-log.ts';
import { aProject } from '../support/people.ts';

type Json = ReturnType<typeof JSON.parse>;

const anObject = { type: 'object' };
const aText = { type: 'string', minLength: 1 };
const ref = { ...anObject, required: ['$ref'], properties: { $ref: { type: 'string', pattern: '^#/' } } };
const mapOf = (each: object) => ({
  ...anObject,
  minProperties: 1,
  propertyNames: { pattern: '^[\\w.-]+$' },
  additionalProperties: each,
});
const strict = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  ...{ ...anObject, properties, required, additionalProperties: false },
});

/**
 * The parts of AsyncAPI 3.0.0 that the document uses, transcribed from the specification, because no validator is
 * installed.
 */
const ASYNCAPI = strict({
  asyncapi: { const: '3.0.0' },
  info: strict({ title: aText, version: aText, description: aText }),
  defaultContentType: { const: 'application/json' },
  servers: mapOf(
    strict({ host: aText, protocol: { enum: ['http', 'https'] }, security: { type: 'array', items: ref } }),
  ),
  channels: mapOf(
    strict({
      address: aText,
      description: aText,
      parameters: mapOf(strict({ description: aText })),
      messages: mapOf(ref),
    }),
  ),
  operations: mapOf(
    strict({
      action: { enum: ['send', 'receive'] },
      channel: ref,
      summary: aText,
      messages: { type: 'array', items: ref, uniqueItems: true },
    }),
  ),
  components: strict({
    messages: mapOf(
      strict({ name: aText, contentType: aText, summary: aText, payload: anObject }, [
        'name',
        'contentType',
        'payload',
      ]),
    ),
    schemas: mapOf(anObject),
    securitySchemes: mapOf(
      strict({ type: { const: 'httpApiKey' }, in: { const: 'header' }, name: aText, description: aText }),
    ),
  }),
});

const ajv = () => {
  const instance = new Ajv({ strict: false, allErrors: true });
  addFormats.default(instance);
  return instance;
};

const refsIn = (value: Json): string[] => {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === '$ref' ? [inner as string] : refsIn(inner)));
};

const schemaAt = (document: Json, pointer: string): Json =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value: Json, key) => value?.[key], document);

describe('AsyncAPI document', () => {
  let document: Json;

  before(async () => {
    document = (await api().get('/v3/asyncapi.json')).body;
  });

  it('the AsyncAPI document is valid AsyncAPI 3 and has no dangling references', () => {
    const validate = ajv().compile(ASYNCAPI);
    expect(validate(document), JSON.stringify(validate.errors)).to.equal(true);
    expect(ajv().validateSchema({ $ref: 'x', ...document.components.schemas.request })).to.equal(true);
    const dangling = refsIn(document).filter((pointer) => schemaAt(document, pointer) === undefined);
    expect(dangling).to.deep.equal([]);
  });

  it('the AsyncAPI document has a message for every event and for the gap', () => {
    const names = Object.values(document.components.messages as Record<string, { name: string }>).map(
      ({ name }) => name,
    );
    expect(names).to.have.members([...Object.keys(events), 'gap']);
    expect(document.operations.follow.messages).to.have.lengthOf(names.length);
  });

  it('the AsyncAPI document describes the changes that clients receive', async () => {
    const { project, owner, admin, guest } = await aProject();
    await api(guest).post(`/v3/${project.id}/events`, { name: 'event.emit.seen', attributes: { a: 1 } });
    await api(admin).post(`/v3/${project.id}/kb/namespace`, { name: 'Shop' });
    await api(guest).post(`/v3/${project.id}/requests/support-group-${project.id}-x/messages`, { text: 'Hello' });
    const emitted = new Set((await relayedChanges(project.id)).map(({ event }) => event));
    expect([...emitted]).to.include.members([
      'project.create',
      'event.emit.seen',
      'kb.namespace.create',
      'message.create',
    ]);
    const schema = ajv().addSchema(document, 'asyncapi');
    const validatorOf = (key: string): ValidateFunction =>
      schema.compile({ $ref: `asyncapi#/components/messages/${key}/payload` });
    const all = (await api(owner).get(`/v3/${project.id}/changes?after=0`)).body.changes;
    const own = (await api(guest).get(`/v3/${project.id}/changes?after=0`)).body.changes;
    expect(own).to.not.deep.equal([]);
    for (const change of [...all, ...own]) {
      const validate = validatorOf(change.event.startsWith('event.emit.') ? 'event.emit' : change.event);
      expect(validate(change), `${change.event} ${JSON.stringify(validate.errors)}`).to.equal(true);
    }
  });
});
