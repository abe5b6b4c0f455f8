// What may be chosen of a theme, as plain values: servers and the console's page read the same ones.
export const corners = ['square', 'soft', 'round'] as const
export type Corner = (typeof corners)[number]
/** Families that systems bring; none is fetched. */
export const fonts = ['system', 'humanist', 'rounded', 'serif', 'mono'] as const
export type Font = (typeof fonts)[number]
