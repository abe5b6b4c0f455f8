// Finds the relative links of the documents that lead nowhere: to a file that is not there, or a heading that is not in it.
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { writtenFiles } from './citations.ts'

/** A heading as GitHub writes it behind `#`. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

/** The text of a document without what it shows as code. */
const prose = (markdown: string): string =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, ''))
    .replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length))

const anchorsOf = (path: string): string[] =>
  [
    ...readFileSync(path, 'utf8')
      .replace(/^```[\s\S]*?^```/gm, '')
      .matchAll(/^#{1,6} (.+)$/gm),
  ].map(([, heading]) => anchorOf(heading!))

/** Every relative link that leads nowhere, as `file:line: target`. */
export function brokenLinks(): string[] {
  return writtenFiles()
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => {
      const text = prose(readFileSync(path, 'utf8'))
      return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .filter(([, target]) => !/^[a-z]+:/.test(target!) && !isThere(path, target!))
        .map(({ 1: target, index }) => `${path}:${text.slice(0, index).split('\n').length}: ${target}`)
    })
}

function isThere(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : posix.join(posix.dirname(from), file)
  return existsSync(path) && (anchor === undefined || anchorsOf(path).includes(anchor))
}

/** Pages that say where something is in the code. Those that add a file name one that is not there yet. */
const namesFiles = (path: string): boolean =>
  /^(?:docs\/(?:requirements|how-to|explanation)\/.*|ARCHITECTURE|CONTRIBUTING)\.md$/.test(path) &&
  path !== 'docs/how-to/add-a-product.md'

/** Files named by such a page that do not exist. */
export function missingFiles(): string[] {
  const files = writtenFiles()
  const isNamed = (name: string) => files.some((path) => path === name || path.endsWith(`/${name}`))
  return files
    .filter(namesFiles)
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/`((?:[\w.-]+\/)*[\w.-]+\.ts)`/g)]
        .filter(([, name]) => !isNamed(name!) && !existsSync(name!))
        .map(([whole]) => `${path}: ${whole}`),
    )
}
