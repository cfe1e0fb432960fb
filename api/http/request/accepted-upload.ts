/** TypeScript types of uploads. */

/** A received file. */
export interface Upload {
  name?: string;
  /** The media type that the client declares, if the file is in a form. */
  type?: string;
  /** Path of the temporary local file. */
  path: string;
  size: number;
  hash: string;
  /** The other fields of the form or JSON body. */
  fields: Record<string, unknown>;
  pieces(): AsyncIterable<Buffer>;
}

/** A form with a file that an endpoint accepts instead of a JSON body. Its other fields become fields of the body. */
export interface ListUpload {
  /** The field of the body whose items are the non-empty lines of the file. */
  listField: string;
  maxBytes: number;
}

/** The media type and maximum size of the files that an endpoint accepts. */
export interface AcceptedUpload {
  /** The media type of a file that is sent as the body. If it is absent, the file must be in a form. */
  type?: string;
  /** The form field with the file; `uploadFile` by default. */
  field?: 'file' | 'uploadFile';
  /** Which errors report a missing, unexpected or oversized file: those of `api/files`, or general ones (default). */
  errors?: 'files' | 'general';
  /** Fields of a form or JSON body that may contain the file as a string (`text-upload.ts`). */
  textFields?: readonly string[];
  maxBytes: number;
}
