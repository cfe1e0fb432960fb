import { Schema } from 'mongoose';
import { collection } from '../database/collection.ts';

const RETENTION_SECONDS = 600;

const schema = Schema.create(
  {
    /** Random, new at each start of the process. */
    _id: { type: String, required: true },
    kind: { type: String, enum: ['api', 'worker'], required: true },
    host: { type: String, required: true },
    pid: { type: Number, required: true },
    version: { type: String, required: true },
    startedAt: { type: Date, required: true },
    /** The time of the heartbeat by the clock of MongoDB, and by the clock of the host. */
    at: { type: Date, required: true },
    clock: { type: Date, required: true },
    /** How late the timer of the heartbeat fired, in milliseconds: for that long, the process was blocked. */
    lateMs: { type: Number, default: 0 },
    memoryBytes: { type: Number, required: true },
    /** The port of the API, or the port of a worker's metrics. */
    port: Number,
    /** The queues whose jobs a worker runs. */
    queues: { type: [String], default: [] },
    /** The jobs that a worker is running: `{ job, id_project, since }`, oldest first. */
    running: { type: [Schema.Types.Mixed], default: [] },
  },
  { strict: 'throw', id: false, minimize: false },
);
schema.index({ at: 1 }, { expireAfterSeconds: RETENTION_SECONDS });

/** The API and worker processes: each replaces its record every few seconds, and deletes the record when it stops. */
export const ProcessHeartbeat = collection('process_heartbeats', schema, 'instance');
