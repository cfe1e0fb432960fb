/** Reports the progress of one part of a long command, such as copying the documents of a backup. */
export type OnProgress = (part: string, progress: { done: number; total: number }) => void;
