/** Endpoints for files: uploads, reads, deletions, and uploads by legacy clients. */
import deleteEndpoints from './delete-endpoints.ts';
import legacyEndpoints from './legacy-endpoints.ts';
import readEndpoints from './read-endpoints.ts';
import uploadEndpoints from './upload-endpoints.ts';

export default [...uploadEndpoints, ...readEndpoints, ...deleteEndpoints, ...legacyEndpoints];
