// `npm run lint`: words that make a reader stop, in documents, comments, test titles and English texts.
import { globSync, readFileSync } from 'node:fs'

/** Words that always mark such a sentence, each with what to write instead. */
export const proseRules: [words: RegExp, advice: string][] = [
  [/\b(somebody|nobody|whoever|whomever|whosoever)\b/i, 'name the actor'],
  [/\banew\b/i, 'again'],
  [/\b(is|are|was|were|be|been) (un)?told\b/i, 'use the verb of the field: report, notify, return, send'],
  [/\buntold\b/i, 'not reported'],
  [/\b(otherwise than|of it what|asked after|comes about|held against)\b/i, 'rewrite the sentence'],
  [/\b(goes|go|went) on (?!to|with|the|a)/i, 'continue'],
  [/(?<!there )\bis no (?!more than|less than|longer|later)/i, 'is not a …'],
]

export interface ProseFault {
  /** `path:line`. */
  place: string
  word: string
  advice: string
}

const documents = ['*.md', '{docs,packages,examples,src}/**/*.md']
const sources = ['{src,packages,test,bench,prove,examples}/**/*.{ts,tsx,sql}']
const texts = ['src/**/en.json']
/** Both quote such sentences. */
const isLeftOut = (path: string): boolean => /node_modules|^CONTRIBUTING\.md$|prose\.test\.ts$/.test(path)

/** The faults of all files below the current folder. */
export function proseFaults(): ProseFault[] {
  const faultsOf = (patterns: string[], prose: (text: string) => string[]) =>
    globSync(patterns)
      .filter((path) => !isLeftOut(path))
      .sort()
      .flatMap((path) => faultsIn(path, prose(readFileSync(path, 'utf8'))))
  return [...faultsOf(documents, proseOfDocument), ...faultsOf(sources, proseOfSource), ...faultsOf(texts, linesOf)]
}

/** The faults of these lines. Code in backticks and quoted words are no prose. */
export function faultsIn(path: string, lines: string[]): ProseFault[] {
  return lines.flatMap((line, index) => {
    const prose = line.replace(/`[^`]*`|“[^”]*”/g, '')
    return proseRules.flatMap(([words, advice]) => {
      const [word] = words.exec(prose) ?? []
      return word === undefined ? [] : [{ place: `${path}:${index + 1}`, word, advice }]
    })
  })
}

const linesOf = (text: string): string[] => text.split('\n')

/** Its lines, with those of code blocks empty. */
export function proseOfDocument(text: string): string[] {
  let isCode = false
  return linesOf(text).map((line) => {
    const isFence = /^\s*```/.test(line)
    if (isFence) isCode = !isCode
    return isFence || isCode ? '' : line
  })
}

/** Its lines, reduced to comments and test titles. */
export const proseOfSource = (text: string): string[] =>
  linesOf(text).map((line) => {
    const [, title] = /\b(?:test|describe|it)(?:\.\w+)?\(\s*(['"`].*)/.exec(line) ?? []
    const [, comment] = /(?:^|\s)(\/\/ .*|\/?\*{1,2} .*|-- .*)/.exec(line) ?? []
    return (title ?? comment ?? '').replace(/^`/, '')
  })

if (import.meta.main) {
  const faults = proseFaults()
  for (const { place, word, advice } of faults) console.error(`${place}  "${word}": ${advice}`)
  if (faults.length > 0) {
    console.error(`\n${faults.length} places to rewrite; CONTRIBUTING.md says how we write.`)
    process.exitCode = 1
  }
}
