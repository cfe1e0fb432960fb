/** The codes and reasons with which the server closes sockets. `docs/realtime.md` lists them. */
export const CLOSE = {
  stopping: { code: 1001, text: 'The server is stopping; reconnect and resume at your cursors' },
  unavailable: { code: 1013, text: 'The database is unavailable; reconnect later and resume at your cursors' },
  unauthorized: { code: 4401, text: 'The credentials are no longer valid' },
  tooSlow: { code: 4408, text: 'Frames are read too slowly; reconnect and resume at your cursors' },
  tooManyFrames: { code: 4429, text: 'Too many frames per second' },
} as const;
