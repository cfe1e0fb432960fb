/** The types of uploads. */

/** A received file. */
export interface Upload {
  name?: string;
  /** The media type that the client declares, if the file is in a form. */
  type?: string;
  /** The local file. */
  path: string;
  size: number;
  hash: string;
  /** The other fields of the form. */
  fields: Record<string, unknown>;
  pieces(): AsyncIterable<Buffer>;
}

/** The media type and maximum size of the files that an endpoint accepts. */
export interface AcceptedUpload {
  /** The media type of a file that is sent as the body; without it the file must be in a form. */
  type?: string;
  /** The form field of the file; `uploadFile` by default. */
  field?: 'file' | 'uploadFile';
  /** The errors of files that are missing or too large: those of `api/files`, or by default the general ones. */
  errors?: 'files' | 'general';
  /** Fields of a form or of a JSON body that may have the content of the file as text (`text-upload.ts`). */
  textFields?: readonly string[];
  maxBytes: number;
}
