// What borrowers are not shown whole.

/** The last four characters, the rest hidden. */
export const masked = (text: string): string => `${'•'.repeat(Math.max(0, text.length - 4))}${text.slice(-4)}`
