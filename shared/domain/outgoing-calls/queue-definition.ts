/** The types for queues of outgoing calls. */
import type { Model } from 'mongoose';

/** The fields that identify a sequence of calls. */
export interface CallKey {
  id_project: string;
}

/** A call that a worker has taken. */
export interface TakenCall extends CallKey {
  _id: string;
  holder: string;
  attemptsMade: number;
  createdAt: Date;
}

export type CallModel = Model<Record<string, unknown>>;

/** A queue of calls of type `C`, in sequences that `K` identifies. */
export interface CallQueue<K extends CallKey, C extends TakenCall & K> {
  model: CallModel;
  keyOf: (call: K) => K;
  /** The field that names the receiver. */
  receiverField: keyof K & string;
  /** The field with the number of the receiver's slot. */
  slotField: string;
  slotsPerReceiver: number;
  slotsPerProject: number;
  /** Enqueues the job that makes the calls of a sequence. */
  enqueue: (key: K, delayMs?: number) => Promise<void>;
  /** Never set; it only ties the type parameter `C` to this type. */
  call?: C;
}
