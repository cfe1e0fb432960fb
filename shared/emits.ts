/** How a verb tells what happened: `Model.updateOne(filter, update, emits('request.close'))`. */
import type { z } from 'zod';
import type { Beside, EventName, events } from './events.ts';
import type { Emission } from './models/plugins/emitting.ts';

type Told<N extends EventName> =
  (typeof events)[N] extends Beside<string, z.ZodObject, infer More>
    ? [name: N, beside: z.input<z.ZodObject<More>>]
    : Named<N>;
/** Of a family any name that begins so. */
type Named<N extends string> = N extends `${infer Head}*` ? `${Head}${string}` : N;
/** A name of the menu; where its payload holds more than the record, with that. */
type Telling = { [N in EventName]: Told<N> }[EventName];

/** The option of any write of a model that makes it tell these events; add `session` and others beside it. */
export const emits = (...told: Telling[]): { emits: Emission[] } => ({
  emits: told.map((each) => (typeof each === 'string' ? [each] : each) as Emission),
});
