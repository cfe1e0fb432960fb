/** Protection against bodies sent in tiny pieces. */
import type { Dispatcher } from 'undici';
import { fragmentedBodyError } from './errors.ts';

/** A body may arrive in at most this number of pieces, plus one for every MIN_AVERAGE_CHUNK_BYTES bytes received. */
const FREE_CHUNKS = 2_000;
const MIN_AVERAGE_CHUNK_BYTES = 32;

type Handler = Dispatcher.DispatchHandler;

/** Aborts a response that arrives in tiny pieces, because each piece costs CPU time, however small it is. */
export const rejectTinyChunks: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  let chunks = 0;
  let bytes = 0;
  const countingHandler: Handler = {
    onRequestStart: (...args) => handler.onRequestStart?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (controller, piece) => {
      chunks += 1;
      bytes += piece.length;
      if (chunks > FREE_CHUNKS + bytes / MIN_AVERAGE_CHUNK_BYTES) controller.abort(fragmentedBodyError());
      else handler.onResponseData?.(controller, piece);
    },
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
  return dispatch(options, countingHandler);
};
