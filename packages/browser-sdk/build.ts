// The browser package: the SDK and the React component as modules with types, and the SDK as a plain script.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import type { PackageBuild } from '../../tools/packages/build.ts'
import { schemaTypes } from '../../tools/packages/typescript-types.ts'
import { sdkValues } from '../../tools/web/sdk-files.ts'

/** The files of the package that replace imports of the contract. */
const contractFiles: [specifier: string, file: string][] = [
  ['@lendloom/wire/hosted/lifecycle', './updates.js'],
  ['@lendloom/wire/hosted/embed-message', './messages.js'],
  ['@lendloom/lending/language', './language.js'],
]

export async function buildEmbed({ root, out, compile }: PackageBuild): Promise<void> {
  const sdk = join('packages', 'browser-sdk', 'src')
  // The compiler writes a workspace's files only if they are named.
  const compiled = compile(
    [
      ...['lendloom.ts', 'react.ts', 'global.ts'].map((name) => join(sdk, name)),
      join('packages', 'wire', 'src', 'hosted', 'embed-message.ts'),
      join('packages', 'lending', 'src', 'language.ts'),
    ],
    ['--lib', 'es2024,dom', '--types', 'react'],
  )
  const values = sdkValues()
  const copy = (from: string, to: string) => {
    const text = readFileSync(from, 'utf8').replace(/(?<== )LENDLOOM_\w+/g, (name) => values[name] ?? name)
    writeFileSync(join(out, 'dist', to), withPackageImports(text))
  }
  for (const name of ['lendloom', 'react', 'address', 'cover', 'frame', 'message', 'options', 'values'])
    for (const ending of ['js', 'd.ts']) copy(join(compiled, sdk, `${name}.${ending}`), `${name}.${ending}`)
  for (const ending of ['js', 'd.ts']) {
    copy(join(compiled, 'packages', 'wire', 'src', 'hosted', `embed-message.${ending}`), `messages.${ending}`)
    copy(join(compiled, 'packages', 'lending', 'src', `language.${ending}`), `language.${ending}`)
  }
  writeFileSync(
    join(out, 'dist', 'updates.d.ts'),
    await schemaTypes('Types of the lifecycle update', ['LifecycleUpdate', 'LifecycleStatus']),
  )
  copy(join(compiled, sdk, 'global.d.ts'), 'global.d.ts')
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: values,
    build: {
      outDir: join(out, 'dist'),
      emptyOutDir: false,
      target: 'chrome87',
      lib: {
        entry: join(root, sdk, 'lendloom.ts'),
        formats: ['iife'],
        name: 'Lendloom',
        fileName: () => 'lendloom.global.js',
      },
    },
  })
}

/** Replaces imports of the contract by files of the package. Throws if another import of the repository remains. */
function withPackageImports(text: string): string {
  const replaced = contractFiles.reduce((all, [specifier, file]) => all.replaceAll(`'${specifier}'`, `'${file}'`), text)
  const unknownImport = /(from |import\()['"](?:#|@lendloom\/)[^'"]*['"]/.exec(replaced)
  if (unknownImport) throw new Error(`${unknownImport[0]} is not in the package`)
  return replaced
}
