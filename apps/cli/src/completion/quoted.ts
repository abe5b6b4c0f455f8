// Shared by the completion scripts: quoting for shells, and the paths of the command tree.

import type { CommandLinePosition } from './tree.ts'

export const quotedInFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The paths of all positions except the root. */
export const knownPaths = (places: CommandLinePosition[]): string[] =>
  places.flatMap(({ path }) => (path === '' ? [] : [path]))

/** A word of a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
