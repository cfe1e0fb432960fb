/** A client of server-sent events. */
import { request } from 'undici';
import { anApi, type Caller } from './api.ts';

/** An event as a client receives it; `data` is parsed. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: ReturnType<typeof JSON.parse>;
}

/** The numbers in the payloads of numbered events. */
export const eventNumbers = (events: ReceivedEvent[]): number[] => events.map(({ data }) => data.payload.n);

/** The numbers from 0 to `count - 1`. */
export const numbersBelow = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** A frame: an event, or only some of its fields, or a comment. */
interface Frame extends Partial<ReceivedEvent> {
  retry?: string;
  comment?: string;
}

const fieldOf = (line: string): [string, string] => {
  const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
  return [name || 'comment', value];
};

const frameOf = (text: string): Frame => {
  const { data, ...fields } = Object.fromEntries(text.split('\n').map(fieldOf));
  return data === undefined ? fields : { ...fields, data: JSON.parse(data) };
};

async function* framesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Frame> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body) {
    const parts = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
    text = parts.pop() ?? '';
    yield* parts.map(frameOf);
  }
}

export interface StreamOptions {
  after?: string;
  lastEventId?: string;
  /** URL of the API; by default that of the suite. */
  url?: string;
}

/** Opens the stream of a project; resolves when the response has begun. */
export const openStream = async (caller: Caller, project: string, { after, lastEventId, url }: StreamOptions = {}) => {
  const abortController = new AbortController();
  const { statusCode, headers, body } = await request(
    `${url ?? (await anApi())}/v3/${project}/stream${after === undefined ? '' : `?after=${after}`}`,
    {
      signal: abortController.signal,
      headers: { authorization: caller.authorization, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
      bodyTimeout: 0,
    },
  );
  const frames = framesOf(body);
  const client = {
    status: statusCode,
    headers,
    /** The id of the last event (its cursor), as a browser stores it. */
    id: lastEventId ?? '',
    /** The next frame; undefined at the end. */
    frame: async (): Promise<Frame | undefined> => {
      const { value, done } = await frames.next();
      if (done) return undefined;
      client.id = value.id ?? client.id;
      return value;
    },
    /** The next event; undefined at the end. */
    next: async (): Promise<ReceivedEvent | undefined> => {
      for (;;) {
        const frame = await client.frame();
        if (!frame) return undefined;
        const { id = '', event = '', data } = frame;
        if (data !== undefined) return { id, event, data };
      }
    },
    /** The next `count` events; fewer if the stream ends. */
    take: async (count: number): Promise<ReceivedEvent[]> => {
      const events: ReceivedEvent[] = [];
      while (events.length < count) {
        const event = await client.next();
        if (!event) break;
        events.push(event);
      }
      return events;
    },
    json: () => body.json() as Promise<ReturnType<typeof JSON.parse>>,
    disconnect: () => abortController.abort(),
  };
  return client;
};
