/** Creates elements. Text from users is inserted only as text, never as HTML. */

/** Returns an element with these properties and children. A child may be an element or a string. */
export const element = (tag, properties = {}, ...children) => {
  const { dataset = {}, ...rest } = properties;
  const created = Object.assign(document.createElement(tag), rest);
  Object.assign(created.dataset, dataset);
  created.append(...children.filter((child) => child !== undefined && child !== null && child !== false));
  return created;
};

/** Returns the time of day in the language of the browser. */
export const timeText = (time) => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
