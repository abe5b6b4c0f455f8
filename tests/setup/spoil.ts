// Changes one character of a link or token, so that it must be refused.

/** The last characters of sealed text may have bits without meaning, so an earlier character is changed. */
export const spoil = (text: string): string => text.slice(0, -9) + (text.at(-9) === 'A' ? 'B' : 'A') + text.slice(-8)
