// Packages that are loaded when they are first needed, and files of packages whose index loads much more than we use.
import { createRequire } from 'node:module'

/** Loads a package, or one file of it, at once. Its type is that of what it is given to. */
export const load = (name: string) => createRequire(import.meta.url)(name)
