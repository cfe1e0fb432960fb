/** A client of server-sent events. */
import { request } from 'undici';
import { anApi, type Caller } from './api.ts';

/** One event as its client sees it; `data` is parsed. */
export interface Received {
  id: string;
  event: string;
  data: ReturnType<typeof JSON.parse>;
}

/** The numbers of events that are numbered (`many`). */
export const numbers = (events: Received[]): number[] => events.map(({ data }) => data.payload.n);

/** 0 to below a number. */
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** A frame: an event, or only what its fields say. */
interface Frame extends Partial<Received> {
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

/** What a follower asks for. */
export interface Wanted {
  after?: string;
  lastEventId?: string;
  /** Another API than the suite's. */
  url?: string;
}

/** Open the stream of a project; the connection is made when this resolves. */
export const openStream = async (caller: Caller, project: string, { after, lastEventId, url }: Wanted = {}) => {
  const gone = new AbortController();
  const { statusCode, headers, body } = await request(
    `${url ?? (await anApi())}/v3/${project}/stream${after === undefined ? '' : `?after=${after}`}`,
    {
      signal: gone.signal,
      headers: { authorization: caller.authorization, ...(lastEventId ? { 'last-event-id': lastEventId } : {}) },
      bodyTimeout: 0,
    },
  );
  const frames = framesOf(body);
  const client = {
    status: statusCode,
    headers,
    /** The place of the last event, as a browser keeps it. */
    id: lastEventId ?? '',
    /** The next frame; undefined at the end. */
    frame: async (): Promise<Frame | undefined> => {
      const { value, done } = await frames.next();
      if (done) return undefined;
      client.id = value.id ?? client.id;
      return value;
    },
    /** The next event; undefined at the end. */
    next: async (): Promise<Received | undefined> => {
      for (;;) {
        const frame = await client.frame();
        if (!frame) return undefined;
        const { id = '', event = '', data } = frame;
        if (data !== undefined) return { id, event, data };
      }
    },
    /** The next events. */
    take: async (count: number): Promise<Received[]> => {
      const events: Received[] = [];
      while (events.length < count) {
        const event = await client.next();
        if (!event) break;
        events.push(event);
      }
      return events;
    },
    json: () => body.json() as Promise<ReturnType<typeof JSON.parse>>,
    leave: () => gone.abort(),
  };
  return client;
};
