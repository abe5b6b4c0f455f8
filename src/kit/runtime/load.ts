// Packages that are loaded when they are first needed, and files of packages whose index loads much more than we use.
import { createRequire } from 'node:module'

/** Loads a package, or one of its files, synchronously. The caller states its type. */
export const load = (name: string) => createRequire(import.meta.url)(name)
