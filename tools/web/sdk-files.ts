// The SDK's files: their addresses, one for the newest and one for each released version, and the values in them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inHex } from '@lendloom/design/colour'
import { tokensWith } from '@lendloom/design/style'
import { required } from '@lendloom/foundation/required'

const root = join(import.meta.dirname, '..', '..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The files of the SDK as each version was released; the release adds them (CONTRIBUTING.md). */
const releases = join(root, 'packages', 'browser-sdk', 'src', 'released')

/**
 * Returns contents by path below `/sdk/`. The current version has an address of its own before its release too, so that
 * it can be tested.
 */
export function sdkFiles(current: Record<string, string>): Record<string, string> {
  const files = { ...current }
  for (const [name, content] of Object.entries(current)) files[`${version}/${name}`] = content
  for (const path of globSync('*/*', { cwd: releases })) files[path] = readFileSync(join(releases, path), 'utf8')
  return files
}

/** Source text of the values that `sdk/values.ts` declares, by name. */
export function sdkValues(): Record<string, string> {
  const tokens = tokensWith('large', [])
  const colour = (name: string) => required(tokens.get(name), name)
  const colours = (scheme: 'light' | 'dark') => ({
    background: inHex(colour('--surface')[scheme]),
    shape: inHex(colour('--fill-strong')[scheme]),
  })
  return {
    LENDLOOM_VERSION: JSON.stringify(version),
    LENDLOOM_COLOURS: JSON.stringify({ light: colours('light'), dark: colours('dark') }),
  }
}
