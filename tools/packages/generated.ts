// `npm run client`: writes the generated files of the packages for integrators.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeFiles } from './node-client.ts'
import { pythonFiles } from './python-types.ts'

const root = join(import.meta.dirname, '..', '..')

/** The texts of the generated files, by their paths in the repository. */
const generatedFiles = async (): Promise<Record<string, string>> => ({ ...(await nodeFiles()), ...pythonFiles() })

/** The paths of committed files that are outdated. */
export const outdatedFiles = async (): Promise<string[]> =>
  Object.entries(await generatedFiles())
    .filter(([path, text]) => readFileSync(join(root, path), 'utf8') !== text)
    .map(([path]) => path)

if (import.meta.main)
  for (const [path, text] of Object.entries(await generatedFiles())) writeFileSync(join(root, path), text)
