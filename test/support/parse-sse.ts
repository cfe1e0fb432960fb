/** The parsed `data` of each event of a streamed answer; `[DONE]` remains a string. */
export const parseSseEvents = (text: string): unknown[] =>
  text
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''))
    .map((data) => (data === '[DONE]' ? data : JSON.parse(data)));
