/** Checks changes and frames against the AsyncAPI document. */
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { anApi, call } from './api.ts';

/** A frame as a client receives it. */
export interface ReceivedFrame {
  action: string;
  payload: ReturnType<typeof JSON.parse>;
}

type Json = ReturnType<typeof JSON.parse>;

/** Reads the AsyncAPI document of an API, by default of the API of this process. */
export const readAsyncapi = async (url?: string): Promise<Json> =>
  (await call('GET', `${url ?? (await anApi())}/v3/asyncapi.json`)).body;

/** Returns the key of the message that describes a frame. Each kind of topic has a message with its own pattern. */
const frameMessage = (document: Json, { action, payload }: ReceivedFrame): string => {
  if (action !== 'publish') return `server.${action}`;
  const keys = Object.keys(document.components.messages).filter((key) => key.startsWith('publish.'));
  const patternOf = (key: string): string =>
    document.components.messages[key].payload.properties.payload.properties.topic.pattern;
  const found = keys.findLast((key) => new RegExp(patternOf(key)).test(payload.topic));
  return found ?? 'publish';
};

/** Validators of a document's messages. Each throws if a message differs from its description. */
export const asyncapiChecker = (document: Json) => {
  const ajv = new Ajv({ strict: false, allErrors: true }).addSchema(document, 'asyncapi');
  addFormats.default(ajv);
  const validators = new Map<string, ValidateFunction>();
  const check = (key: string, message: unknown): void => {
    const validate = validators.get(key) ?? ajv.compile({ $ref: `asyncapi#/components/messages/${key}/payload` });
    validators.set(key, validate);
    if (!validate(message)) throw new Error(`${key}: ${ajv.errorsText(validate.errors)}`);
  };
  return {
    document,
    /** Checks a change as `/changes` and `/stream` send it. */
    checkChange: (change: { event: string }): void =>
      check(change.event.startsWith('event.emit.') ? 'event.emit' : change.event, change),
    /** Checks a frame that the server sent. */
    checkFrame: (frame: ReceivedFrame): void => check(frameMessage(document, frame), frame),
  };
};

export type AsyncapiChecker = ReturnType<typeof asyncapiChecker>;

let ownChecker: Promise<AsyncapiChecker> | undefined;

/** The validators of this process's document. */
export const theAsyncapiChecker = (): Promise<AsyncapiChecker> => (ownChecker ??= readAsyncapi().then(asyncapiChecker));
