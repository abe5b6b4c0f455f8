// The languages in which borrowers read: a catalogue that lacks one of them does not compile.

export const languages = ['en', 'hi'] as const
export type Language = (typeof languages)[number]
