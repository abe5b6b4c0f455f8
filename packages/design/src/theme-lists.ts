// The values that a theme may have, for servers and the console.
export const corners = ['square', 'soft', 'round'] as const
export type Corner = (typeof corners)[number]
/** Font families that operating systems include; none is downloaded. */
export const fonts = ['system', 'humanist', 'rounded', 'serif', 'mono'] as const
export type Font = (typeof fonts)[number]
