/** Types for the plugin markdown-it-deflist (definition lists), which has none of its own. */
declare module 'markdown-it-deflist' {
  import type { MarkdownIt } from 'markdown-it';

  export default function deflist(md: MarkdownIt): void;
}
