// Workspaces: their doors, the names of imports, and who loads a library.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { openSources } from './architecture/sources.ts'

const read = openSources()

/** The sources of the programs that serve, and of the packages. */
const sources = globSync('{apps/{platform,partner,sandbox},packages/*}/src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

const workspaces = globSync('{apps,packages}/*/package.json').flatMap((path) => {
  const { name, exports, dependencies = {}, private: isOurs } = JSON.parse(readFileSync(path, 'utf8'))
  return isOurs ? [{ folder: dirname(path), name: String(name), doors: Object.keys(exports), dependencies }] : []
})

/** What a source imports of other workspaces, as `@lendloom/wire/exchange/lead`. */
const doorsIn = ({ text }: { text: string }): string[] =>
  [...text.matchAll(/(?:from |import\()'(@lendloom\/[\w-]+\/[^']+)'/g)].map(([, door = '']) => door)

test('each door is the file of its name below src, as our hook of imports expects, and somebody uses it', () => {
  const used = new Set(read.flatMap(doorsIn))
  for (const { folder, name, doors } of workspaces)
    for (const door of doors.filter((each) => !/\*|\/src\//.test(each))) {
      const file = join(folder, 'src', door)
      assert.ok(
        [file, `${file}.ts`, `${file}.tsx`].some((path) => existsSync(path)),
        `${name} has no ${door}`,
      )
      assert.ok(
        /\.(?:css|mjs|json)$/.test(door) || used.has(name + door.slice(1)),
        `nobody uses ${name}${door.slice(1)}`,
      )
    }
})

test('modules are named with # or by a door, never with ../, but in the browser’s', () => {
  for (const { path, text } of sources)
    if (!/^packages\/(browser-sdk|server-node)\//.test(path)) assert.doesNotMatch(text, /['"]\.\.\//, path)
})

test('each library is loaded by one file of one package, and pg by packages/postgres', () => {
  const dependencies = globSync('{apps,packages}/*/package.json').flatMap((path) =>
    Object.keys(JSON.parse(readFileSync(path, 'utf8')).dependencies ?? {}).filter(
      (name) => !name.startsWith('@lendloom/'),
    ),
  )
  const sources = read.map(({ path, text }) => ({
    path,
    text: text.replace(/(?:import type|declare module) [^']*'[^']*'/g, ''),
  }))
  for (const library of new Set(dependencies)) {
    const users = sources.filter(({ text }) => new RegExp(`'${library}(/[^']*)?'`).test(text)).map(({ path }) => path)
    const folder = library === 'pg' ? 'packages/postgres/' : 'packages/'
    assert.ok(library === 'pg' || users.length <= 1, `${library}: ${users}`)
    for (const path of users) assert.ok(path.startsWith(folder), `${path} loads ${library}`)
  }
})
