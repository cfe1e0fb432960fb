import { Schema } from 'mongoose';
import { z } from 'zod';
import { collection, schemaOptions } from '../database/collection.ts';
import { Id, optionalField, Time, view } from '../wire/view.ts';

/**
 * The states of a file. `pending`: its bytes are being written; `stored`: it can be read; `deleting`: its bytes are
 * being deleted.
 */
export const FILE_STATUSES = ['pending', 'stored', 'deleting'] as const;
/** The states of a thumbnail. `failed`: the image has no thumbnail, and no further attempt is made. */
export const THUMBNAIL_STATUSES = ['pending', 'stored', 'failed'] as const;
/**
 * Why a thumbnail failed. `missing`: the storages lack the bytes of the image; `undecodable`: the image cannot be
 * decoded; `timeout`: it could not be decoded in time, repeatedly.
 */
const THUMBNAIL_FAILURES = ['missing', 'undecodable', 'timeout'] as const;
/** The kinds of files. The kinds `account` and `public` belong to no project (see api/files/legacy-endpoints.ts). */
export const FILE_KINDS = ['asset', 'chat', 'avatar', 'account', 'public'] as const;
/** The `id_project` of files that belong to an account or to no owner. */
export const NO_PROJECT = 'instance';

const thumbnailSchema = new Schema(
  {
    status: { type: String, enum: THUMBNAIL_STATUSES, required: true },
    size: Number,
    hash: String,
    failure: { type: String, enum: THUMBNAIL_FAILURES },
    /** The number of attempts that took too long. */
    timeouts: Number,
  },
  { _id: false, strict: 'throw' },
);

const schema = Schema.create(
  {
    id_project: { type: String, required: true },
    kind: { type: String, enum: FILE_KINDS, required: true },
    status: { type: String, enum: FILE_STATUSES, required: true },
    /** The path of the file on the wire. */
    path: { type: String, required: true },
    /** The key of the bytes in the storage, used for one upload only. */
    key: { type: String, required: true },
    name: { type: String, required: true },
    type: { type: String, required: true },
    size: { type: Number, required: true },
    /** SHA-256 of the bytes, in hexadecimal digits. */
    hash: { type: String, required: true },
    thumbnail: thumbnailSchema,
    expiresAt: Date,
    createdBy: { type: String, required: true },
    /**
     * When the sweep will next check the file: when the lease of its upload ends, a lost thumbnail job or failed
     * deletion is to be repeated, or the file expires.
     */
    nextSweepAt: Date,
    /** The number of sweeps of the file that have failed in a row. It determines when the file is due again. */
    failedSweeps: Number,
  },
  schemaOptions,
);
schema.index({ path: 1 }, { unique: true, partialFilterExpression: { status: 'stored' } });
schema.index({ key: 1 }, { unique: true });
schema.index({ nextSweepAt: 1 }, { sparse: true });
schema.index({ id_project: 1, createdAt: -1 });
schema.index({ createdBy: 1, id_project: 1 });

/** Uploaded files. A record exists from before the bytes are written until they are deleted. */
export const StoredFile = collection('files', schema);

/** A file in events. */
export const FileView = view('File', {
  _id: Id,
  id_project: z.string(),
  kind: z.enum(FILE_KINDS),
  path: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number().meta({ description: 'Bytes' }),
  expiresAt: optionalField(Time),
  createdBy: z.string(),
  createdAt: Time,
});
