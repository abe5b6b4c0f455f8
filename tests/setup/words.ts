// Returns the English text that the hosted page shows for `Words`.
import type { Words } from '@lendloom/lending/reason/reason'

export const inEnglish = (words: Words | null | undefined): string => words?.en ?? ''
