import { Schema } from 'mongoose';
import { collection, schemaOptions } from '../database/collection.ts';

const RETENTION_SECONDS = 30 * 86_400;

const schema = Schema.create(
  {
    /** The consumer and the event, so that repeated failures update one record. */
    _id: { type: String, required: true },
    /** The consumer that could not process the event: `relay`, or the name of a listener. */
    failedBy: { type: String, required: true },
    code: { type: String, required: true },
    message: { type: String, required: true },
    /** Position in the order of commit. */
    position: { type: String, required: true },
    /** The following fields are set if they are known. */
    id_project: String,
    event: String,
    record: String,
    /** The beginning of the text that could not be decoded. */
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
