/** Calls of the REST API. */

/** The status of a closed conversation. */
export const CLOSED_STATUS = 1000;

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 8000;

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const isTemporary = (status) => status === 429 || status >= 500;

const replyOf = async (response) => {
  const reply = await response.json();
  if (response.ok) return reply;
  throw Object.assign(new Error(reply.message ?? reply.msg ?? `The API answered ${response.status}`), {
    isTemporary: isTemporary(response.status),
  });
};

/** Returns a function that calls the API with these credentials. The function throws the API's error message. */
export const apiClient =
  (authorization) =>
  async (method, path, body, headers = {}) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`/v3${path}`, {
      method,
      headers: {
        ...(authorization && { authorization }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: isForm ? body : body && JSON.stringify(body),
    });
    return replyOf(response);
  };

/** Repeats work while the network or the server fails temporarily. Throws any other error. */
export const withRetries = async (work) => {
  for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MAX_RETRY_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TypeError || error.isTemporary)) throw error;
      await sleep(delayMs);
    }
  }
};
