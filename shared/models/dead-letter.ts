import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { optionalField, Time, view } from '../wire/view.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    /** `failedBy`, and the event's id (for `relay`: its position), so that each failed event has one record. */
    _id: { type: String, required: true },
    /** The consumer that could not process the event: `relay`, or the name of a listener. */
    failedBy: { type: String, required: true },
    code: { type: String, required: true },
    message: { type: String, required: true },
    /** Position in the order of commit. */
    position: { type: String, required: true },
    /** The next three fields are set if their values are known. */
    id_project: String,
    event: String,
    record: String,
    /** The beginning of the event's text, if the relay could not decode it. */
    text: String,
  },
  schemaOptions,
);
schema.index({ createdAt: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/**
 * Dead letters: events that could not be relayed or processed. A dead letter does not hold back later events of its
 * record. An instance administrator inspects and replays dead letters.
 */
export const DeadLetter = collection('dead_letters', schema, 'instance');

/** A dead letter on the wire. */
export const DeadLetterView = view('DeadLetter', {
  _id: z.string().meta({ description: 'The name in `failedBy`, and the id of the event (for `relay`: its position)' }),
  failedBy: z.string().meta({ description: '`relay`, or the name of a listener' }),
  code: z.string(),
  message: z.string().meta({ description: 'Why the event was not relayed or processed' }),
  position: z.string().meta({ description: 'Position of the event in the changes log' }),
  id_project: optionalField(z.string()),
  event: optionalField(z.string()),
  record: optionalField(z.string()),
  createdAt: Time,
  replayAfter: z
    .string()
    .meta({ description: 'The cursor from which the listener can replay the event: the position just before it' }),
});
