// Shared by the completion scripts: quoting for shells, and the paths of the command tree.

import type { CommandLinePosition } from './tree.ts'

/** In single quotes, for fish. */
export const quotedInFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** The paths of all nodes but the root. */
export const knownPaths = (places: CommandLinePosition[]): string[] =>
  places.flatMap(({ path }) => (path === '' ? [] : [path]))
