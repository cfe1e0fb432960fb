/** Most characters, items or units of what callers send, in one table; the OpenAPI shows each at its field (decision 41). */
export const LIMITS = {
  email: 320,
  password: 1000,
  personName: 200,
  projectName: 200,
  kbName: 1000,
  kbSource: 4096,
  kbText: 400_000,
  kbTags: 50,
  kbTag: 200,
  question: 4000,
  instructions: 20_000,
  passages: 50,
  answerTokens: 32_000,
  turns: 50,
  changes: 500,
  wait: 25,
} as const;
