// What the completion scripts share: text that a shell takes as it is, and the words that lead somewhere.

import type { CommandLinePosition } from './tree.ts'

/** In single quotes, for bash and zsh. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** In single quotes, for fish. */
export const quotedInFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The paths of all places but the beginning. */
export const knownPaths = (places: CommandLinePosition[]): string[] =>
  places.flatMap(({ path }) => (path === '' ? [] : [path]))
