/** What events carry: the record as the API shows it now, and what the verb said beside it. */
import type { z } from 'zod';
import { type Key, readerOf, type Shown } from '#shared/domain/events/shown.ts';
import { shapeOf } from '#shared/events.ts';
import type { Told } from './decode.ts';
import { type Head, nameOf } from './heads.ts';

/** An entry of the changes log. */
export interface Entry {
  _id: string;
  id_project: string;
  position: string;
  event: string;
  record?: string;
  revision?: number;
  payload?: object;
  visitor?: string;
  visitor_payload?: object;
  by?: object;
  createdAt: Date;
}

/** A record that was deleted and whose deletion told nothing of it: only that much is known. */
const gone = (record: string): Shown => ({ key: record, shown: { _id: record, gone: true } });

const placed = ({ entry, beside }: Told, shown: object, more: object = beside): object => {
  const { under } = shapeOf(entry);
  return under ? { ...more, [under]: shown } : shown;
};

const composed = (told: Told, id_project: string, { shown, visitor, visitor_shown }: Shown): Entry => ({
  _id: told.id,
  id_project,
  position: told.position,
  event: told.event,
  record: told.record,
  revision: told.revision,
  payload: placed(told, shown),
  visitor,
  // What stands beside the record may not be for visitors.
  visitor_payload: visitor_shown && placed(told, visitor_shown, {}),
  by: told.by,
  createdAt: told.at,
});

const viewOf = ({ entry }: Told): z.ZodObject => shapeOf(entry).view;

const readAs = async (view: z.ZodObject, events: Told[]): Promise<Map<string, Shown>> => {
  const read = [...Map.groupBy(events, ({ model }) => model)].map(([model, some]) => {
    const keys = new Map<string, Key>(some.map(({ key }) => [String(key), key]));
    return readerOf(model, view)([...keys.values()]);
  });
  return new Map((await Promise.all(read)).flat().map((shown) => [String(shown.key), shown]));
};

/** One query for each View, whatever the number of its events. */
const readAll = async (events: Told[]): Promise<Map<z.ZodObject, Map<string, Shown>>> => {
  const read = [...Map.groupBy(events, viewOf)].map(async ([view, some]) => [view, await readAs(view, some)] as const);
  return new Map(await Promise.all(read));
};

/** The entries of these events; each record is read once. */
export const entriesOf = async (events: Told[], heads: Map<string, Head>): Promise<Entry[]> => {
  const read = await readAll(events.filter(({ shown }) => !shown));
  return events.map((told) => {
    const head = heads.get(nameOf(told));
    const { key, record } = told;
    const left = told.shown ?? head?.shown;
    const shown = read.get(viewOf(told))?.get(String(key)) ?? (left ? { key, shown: left } : gone(record));
    return composed(told, (told.id_project ?? head?.id_project) as string, shown);
  });
};
