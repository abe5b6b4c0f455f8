// What may be chosen of a theme, as plain values: the schemas and the page read the same ones.
export { corners, fonts } from '#kit/design/theme-lists.ts'

export const mostNameLength = 30
export const mostLogoBytes = 100_000
/** Words in the accent, words on a button, and the edge of a button. */
export const contrastKinds = ['WORDS', 'BUTTON', 'EDGE'] as const
