// Loads packages on first use, and single files of packages whose index loads much more than we use.
import { createRequire } from 'node:module'

/** Loads a package, or one of its files, synchronously. The caller declares the type. */
export const load = (name: string) => createRequire(import.meta.url)(name)
