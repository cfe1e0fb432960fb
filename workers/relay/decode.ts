/** From a write to the events it tells. */
import mongoose from 'mongoose';
import { decodeTime } from 'ulid';
import { z } from 'zod';
import { type EventName, entryOf } from '#shared/events.ts';
import type { Key } from '#shared/domain/events/shown.ts';
import type { Change } from './stream.ts';

const HOUR_MS = 3_600_000;
const Emission = z.union([z.tuple([z.string()]), z.tuple([z.string(), z.record(z.string(), z.unknown())])]);
const By = z.object({ type: z.string(), id: z.string(), name: z.string().optional() });
const Text = z.tuple([z.ulid(), z.string().nullable()]).rest(z.union([Emission, By]));
type By = z.output<typeof By>;
type Emission = z.output<typeof Emission>;

/** An event, before its payload is read. */
export interface Told {
  /** The same however often it is read from the log. */
  id: string;
  position: string;
  event: string;
  /** The menu's line. */
  entry: EventName;
  beside: Record<string, unknown>;
  model: string;
  key: Key;
  record: string;
  id_project?: string;
  revision?: number;
  at: Date;
  /** Who made the call; absent where the system did it by itself. */
  by?: By;
  /** The record as it was, told by the outbox. */
  shown?: object;
}

/** What can not be told, and why. */
export interface Untold {
  position: string;
  code: string;
  message: string;
  id_project?: string;
  event?: string;
  record?: string;
  text?: string;
}

/** Place of an event in the order of commit; sorts as text. */
export const positionOf = (token: string, index: number): string => `${token}.${String(index).padStart(3, '0')}`;

const parsed = (text: unknown): z.output<typeof Text> | undefined => {
  try {
    return Text.parse(JSON.parse(text as string));
  } catch {
    return undefined; // whatever it is, it is no text of ours
  }
};

/** A write that told nothing, logged as the whole record with what an earlier one told. */
const isStale = ({ kind, at }: Change, id: string) => kind === 'replace' && decodeTime(id) < at.getTime() - HOUR_MS;

const isEmission = (part: Emission | By): part is Emission => Array.isArray(part);

const toldBy = (change: Change, [ulid, owner, ...parts]: z.output<typeof Text>) => {
  const { model, record: key, revision, at, told } = change;
  const id_project = change.id_project ?? owner ?? undefined;
  const record = told?.record ?? String(key);
  const by = parts.find((part): part is By => !isEmission(part));
  return ([event, beside = {}]: Emission, index: number): Told | Untold => {
    const known = { position: positionOf(change._id._data, index), event, record, id_project };
    const entry = entryOf(event);
    if (!entry || !mongoose.models[model])
      return { ...known, code: 'UNKNOWN_EVENT', message: `No event ${event} of ${model}` };
    const id = `${ulid}-${record}-${index}`;
    return { ...known, id, entry, beside, model, key, revision, at, by, shown: told?.shown };
  };
};

/** The events of a write in their order; what can not be decoded says so. */
export const decode = (change: Change): (Told | Untold)[] => {
  const text = parsed(change.text);
  if (!text) {
    const [position, record] = [positionOf(change._id._data, 0), String(change.record)];
    const words = { code: 'UNDECODABLE', message: `_events of ${change.model} is no text of events` };
    return [{ ...words, position, record, id_project: change.id_project, text: JSON.stringify(change.text) }];
  }
  const [ulid, , ...parts] = text;
  return isStale(change, ulid) ? [] : parts.filter(isEmission).map(toldBy(change, text));
};
