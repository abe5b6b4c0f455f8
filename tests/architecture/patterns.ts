// Regular expressions of the sources, and whether the time that each takes grows faster than its text: `node -C inside tests/architecture/patterns.ts` writes down those that are checked.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Node, openSources, type Source } from './sources.ts'

/** The build in JavaScript alone; the others start Java or a program. */
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js')

const list = 'tests/architecture/checked-patterns.json'

/** Patterns that were found to take linear time, as `/source/flags`; a check of all of them takes minutes. */
export const checkedPatterns = (): Set<string> => new Set(JSON.parse(readFileSync(list, 'utf8')))

/** Patterns that stay as they are, each with its reason. */
const exceptions: Record<string, string> = {
  '/(--[\\w-]+):\\s*([^;]+);/g': 'reads our own style sheet',
  '/"(?:[^"\\\\]|\\\\.)*"|\\b(?:null|true|false)\\b/g': 'reads JSON that we have written',
  '/\\s*\\n\\s*/g': 'reads a page or a style sheet of our own build',
  '/\\s*([{};:,])\\s+/g': 'reads a page or a style sheet of our own build',
  '/<style>.*?<\\/style>/s': 'reads a page or a style sheet of our own build',
  '/<style>(.*?)<\\/style>/s': 'reads a page or a style sheet of our own build',
  '/<noscript>.*?<\\/noscript>/gs': 'reads a page or a style sheet of our own build',
  '/<script.*?<\\/script>/gs': 'reads a page or a style sheet of our own build',
  '/\\B(?=(\\d{2})*\\d{3}$)/g': 'groups the digits of an amount of ours',
  '/("(?:[^"\\\\]|\\\\.)*")(\\s*:)?|\\b(true|false|null)\\b|(-?\\d+(?:\\.\\d+)?)/g':
    'colours JSON of the demo in its own browser',
  '/^(\\d+(?:\\.\\d+)?)\\s*%(?:\\s*(?:(p\\.?\\s?a|an? year|per year|per annum|yearly|annually)|(p\\.?\\s?m|an? month|per month|monthly)|(an? week|per week|weekly)|(an? day|per day|daily))\\.?)?(?:,? (?:on|of) (?:(?:the|an|any|each|your) )?(?:overdue|unpaid|late) (?:instal?lments?|emis?|amounts?))?\\.?$/i':
    'not decided in a minute; anchored at both ends, and each part begins with another character',
}

/** Literals, and what schemas and constants call a pattern, of programs that read texts from outside. */
export const patternsIn = (sources: Source[]): string[] => [
  ...new Set(
    sources
      .filter(({ path }) =>
        /^(?:apps\/(?:console|demo|page|partner|platform|sandbox)|packages\/(?!server-node|conformance|command-line)[\w-]+)\//.test(
          path,
        ),
      )
      .flatMap(({ nodes }) => nodes.flatMap((node) => patternOf(node) ?? [])),
  ),
]

function patternOf(node: Node): string | undefined {
  const { regex } = node as { regex?: { pattern: string; flags: string } }
  if (node.type === 'Literal' && regex) return `/${regex.pattern}/${regex.flags}`
  const [name, value] = node.type === 'Property' ? [node.key, node.value] : [node.id, node.init]
  const text = (value as Node | null)?.value
  const isNamed = /pattern$/i.test(String((name as Node | null)?.name ?? ''))
  return isNamed && typeof text === 'string' ? `/${text}/u` : undefined
}

/** Without a quantifier that has no upper bound no time grows with the text. */
const isUnbounded = (pattern: string): boolean => /[*+]|\{\d+,\}/.test(pattern)

/** Why a pattern is not known to take linear time; null when it is. */
export function faultOf(pattern: string): string | null {
  const end = pattern.lastIndexOf('/')
  // Bounds of time would find more on an idle machine than on a busy one.
  const always = { randomSeed: 1, incubationTimeout: null, attackTimeout: null }
  const found = checkSync(pattern.slice(1, end), pattern.slice(end + 1), {
    timeout: 60_000,
    checker: 'auto',
    ...always,
  })
  if (found.status === 'safe') return null
  return found.status === 'vulnerable' ? `${found.complexity.summary}` : `not decided: ${found.error.kind}`
}

/** Patterns of the sources that are neither checked nor excepted. */
export const uncheckedPatterns = (sources: Source[], checked: ReadonlySet<string>): string[] =>
  patternsIn(sources).filter((each) => isUnbounded(each) && !checked.has(each) && !Object.hasOwn(exceptions, each))

if (import.meta.main) {
  const sources = openSources()
  const before = checkedPatterns()
  const kept = new Set(patternsIn(sources).filter((each) => before.has(each)))
  for (const pattern of uncheckedPatterns(sources, before)) {
    const fault = faultOf(pattern)
    if (fault === null) kept.add(pattern)
    else process.stderr.write(`${pattern}\n  ${fault}\n`)
  }
  writeFileSync(list, `${JSON.stringify([...kept].sort(), null, 2)}\n`)
}
