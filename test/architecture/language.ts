// Measures how the sources are written: names of types, and the words of comments.
import { proseRules } from './prose.ts'
import { type Node, placesOf, type Source } from './sources.ts'

const typeDeclarations = ['TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'ClassDeclaration']
const nameOf = (node: Node): string => ((node.id as Node | null)?.name as string | undefined) ?? ''

/** A program's own folder; kit and contract are part of each. The dialects of the network are alike on purpose. */
const programOf = (path: string): string => path.split('/')[1] ?? ''
const isCommon = (program: string): boolean => program === 'kit' || program === 'contract'
const isDialect = (path: string): boolean => /\/network\/v2\d\d\//.test(path)

/** Exported types whose name another file of the same program exports for another type, as `path Name`. */
export function sharedNames(sources: Source[]): string[] {
  const exported = sources
    .filter(({ path }) => !isDialect(path))
    .flatMap(({ path, nodes }) =>
      nodes
        .filter(({ type }) => type === 'ExportNamedDeclaration')
        .map(({ declaration }) => declaration as Node | null)
        .filter((node) => node !== null && typeDeclarations.includes(node.type))
        .map((node) => ({ path, name: nameOf(node as Node), program: programOf(path) })),
    )
  return exported
    .filter((one) =>
      exported.some(
        (other) =>
          other.path !== one.path &&
          other.name === one.name &&
          (other.program === one.program || isCommon(other.program) || isCommon(one.program)),
      ),
    )
    .map(({ path, name }) => `${path} ${name}`)
}

/** Words that end as a participle and are nouns, and the events of the partner exchange. */
const nouns =
  /(Feed|Need|Token|Screen|Heading|Finding|Setting|Meaning|Reading|Banking|Rating|Filling|Sharing|Lending|Opening|Holding|Mapping|Ending|Coding|Posting|Servicing|Ring|String|Keyring|Embed|Updated|Submitted|Registered|Confirmed|Recorded|Failed|Decided)$/
const participle = /(ed|ing)$/
const particles = new Set(
  [
    'At',
    'By',
    'For',
    'From',
    'Given',
    'Held',
    'Here',
    'Kept',
    'Known',
    'Left',
    'Made',
    'Of',
    'Rest',
    'Seen',
    'Sent',
  ].concat([
    'Shown',
    'Taken',
    'Told',
    'Way',
    'What',
    'When',
    'Where',
    'Who',
    'Whose',
    'Why',
    'With',
    'Within',
    'Written',
  ]),
)

/** Types whose name is not a noun. */
export const unnamedTypes = (sources: Source[]): string[] =>
  placesOf(sources, (node) => {
    const name = typeDeclarations.includes(node.type) ? nameOf(node) : ''
    return particles.has(name) || (participle.test(name) && !nouns.test(name))
  })

const isComment = (line: string): boolean => /^\s*(\/\/|\/?\*)/.test(line)

export const commentLines = (sources: Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (isComment(line) ? `${path}:${index + 1}` : [])),
  )

/** Further words by which a sentence often hides its actor; a few good sentences have them too. */
const oftenMarking = /\b(whatever|none is|is no|so often|so long|by the way|stands|goes on)\b/i
const isMarked = (line: string): boolean => oftenMarking.test(line) || proseRules.some(([words]) => words.test(line))

/** Comment lines with such a word. */
export const markedComments = (sources: Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (isComment(line) && isMarked(line) ? `${path}:${index + 1}` : [])),
  )
