/** Returns the name of a job in words: `kb.index-contents` → `Index contents`. */
export const titleOf = (name: string): string => {
  const words = name.slice(name.indexOf('.') + 1).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
